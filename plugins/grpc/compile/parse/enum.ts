/**
 * Enums.
 *
 * @module
 */
import { create } from "@bufbuild/protobuf";
import {
  type EnumDescriptorProto,
  EnumDescriptorProtoSchema,
  EnumValueDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import type { Draft } from "./draft.ts";
import { parseBrackets, parseOption } from "./options.ts";
import { parseEnumReserved, parseInt32 } from "./ranges.ts";
import { acceptVisibility } from "./visibility.ts";

/** Goes past an enum whose place in the descriptor is the present path. */
export function parseEnum(draft: Draft): EnumDescriptorProto {
  const { cursor } = draft;
  const { start } = cursor.token;
  const declared = create(EnumDescriptorProtoSchema);
  const visibility = acceptVisibility(cursor);
  if (visibility !== undefined) declared.visibility = visibility;
  cursor.expect("enum");
  draft.place(declared, cursor.token.start);
  declared.name = cursor.word("the enum's name");
  draft.end("{", start);
  while (!cursor.isAt("}")) {
    const following = cursor.peek();
    const isValue = cursor.source.text[following.start] === "=";
    if (cursor.isAt(";")) draft.end(";");
    else if (cursor.isAt("option") && !isValue) parseOption(draft, declared);
    else if (cursor.isAt("reserved") && !isValue) parseEnumReserved(draft, declared);
    else parseEnumValue(draft, declared);
  }
  if (declared.value.length === 0) draft.fail("expected at least one value in the enum");
  draft.end("}");
  return declared;
}

function parseEnumValue(draft: Draft, declared: EnumDescriptorProto): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  const value = create(EnumValueDescriptorProtoSchema);
  const index = declared.value.push(value) - 1;
  draft.place(value, start);
  value.name = cursor.word("a value's name");
  cursor.expect("=");
  value.number = parseInt32(draft, "the value's number");
  parseBrackets(draft, value);
  draft.within(2, index, () => draft.end(";", start));
}
