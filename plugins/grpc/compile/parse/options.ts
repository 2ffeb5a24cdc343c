/**
 * Option statements: `option (company.rule).level = 3;` and `[deprecated = true]`.
 *
 * @module
 */
import type { Cursor } from "../syntax/cursor.ts";
import type { OptionNamePart, OptionOwner, OptionStatement } from "../syntax/tree.ts";
import { type Draft, MAX_DEPTH } from "./draft.ts";
import { parseTypeName } from "./names.ts";
import { parseValue } from "./values.ts";

/** The number of the field `options` in each kind of descriptor. */
const OPTIONS_FIELD: Readonly<Record<OptionOwner["$typeName"], number>> = {
  "google.protobuf.FileDescriptorProto": 8,
  "google.protobuf.DescriptorProto": 7,
  "google.protobuf.FieldDescriptorProto": 8,
  "google.protobuf.OneofDescriptorProto": 2,
  "google.protobuf.DescriptorProto.ExtensionRange": 3,
  "google.protobuf.EnumDescriptorProto": 3,
  "google.protobuf.EnumValueDescriptorProto": 3,
  "google.protobuf.ServiceDescriptorProto": 3,
  "google.protobuf.MethodDescriptorProto": 4,
};

/** Goes past `option name = value;`. */
export function parseOption(draft: Draft, owner: OptionOwner): void {
  const { start } = draft.cursor.token;
  draft.cursor.expect("option");
  const statement = parseAssignment(draft.cursor);
  draft.within(OPTIONS_FIELD[owner.$typeName], undefined, () => {
    draft.addOption(owner, { ...statement, location: draft.end(";", start) });
  });
}

/** Goes past `[name = value, …]` if it is there; `takes` may go past an option itself. */
export function parseBrackets(draft: Draft, owner: OptionOwner, takes?: () => boolean): void {
  const { cursor } = draft;
  if (!cursor.accept("[")) return;
  do {
    if (takes === undefined || !takes()) draft.addOption(owner, parseAssignment(cursor));
  } while (cursor.accept(","));
  cursor.expect("]");
}

function parseAssignment(cursor: Cursor): OptionStatement {
  const name = [parsePart(cursor)];
  while (cursor.accept(".")) name.push(parsePart(cursor));
  // Each part is a message within the one before.
  if (name.length > MAX_DEPTH) cursor.fail(`at most ${MAX_DEPTH} parts of an option's name`);
  cursor.expect("=");
  return { name, value: parseValue(cursor) };
}

function parsePart(cursor: Cursor): OptionNamePart {
  const offset = cursor.token.start;
  const isExtension = cursor.accept("(");
  const name = isExtension ? parseTypeName(cursor, "an extension's name") : cursor.word("a name");
  if (isExtension) cursor.expect(")");
  return { name, isExtension, offset };
}
