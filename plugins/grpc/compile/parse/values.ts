/**
 * The values of options: scalars, lists and message literals in the text format.
 *
 * @module
 */
import type { Cursor } from "../syntax/cursor.ts";
import { failAt } from "../failure.ts";
import { doubleOf, integerOf } from "../syntax/literals.ts";
import type { OptionValue, ValueField } from "../syntax/tree.ts";
import { MAX_DEPTH } from "./draft.ts";

/** Reads a value; `depth` counts the lists and messages around it. */
export function parseValue(cursor: Cursor, depth = 0): OptionValue {
  const offset = cursor.token.start;
  if (depth > MAX_DEPTH) {
    failAt(cursor.source, offset, `more than ${MAX_DEPTH} levels of nesting`);
  }
  if (cursor.accept("{")) {
    return { kind: "message", fields: parseFields(cursor, "}", depth + 1), offset };
  }
  if (cursor.accept("<")) {
    return { kind: "message", fields: parseFields(cursor, ">", depth + 1), offset };
  }
  if (cursor.accept("[")) {
    return { kind: "list", values: parseList(cursor, depth + 1), offset };
  }
  if (cursor.token.kind === "string") {
    return { kind: "bytes", bytes: cursor.bytes("a string"), offset };
  }
  return parseScalar(cursor, offset);
}

function parseScalar(cursor: Cursor, offset: number): OptionValue {
  const isNegative = cursor.accept("-");
  const sign = isNegative ? -1 : 1;
  const { token } = cursor;
  if (token.kind === "word") {
    return { kind: "word", word: cursor.word("a word"), isNegative, offset };
  }
  if (token.kind !== "integer" && token.kind !== "float") cursor.fail("a value");
  cursor.next();
  const integer = token.kind === "integer" ? integerOf(cursor.source, token) : undefined;
  return integer === undefined
    ? { kind: "float", float: sign * doubleOf(cursor.source, token), offset }
    : { kind: "integer", integer: BigInt(sign) * integer, isNegative, offset };
}

function parseList(cursor: Cursor, depth: number): OptionValue[] {
  const values: OptionValue[] = [];
  if (cursor.accept("]")) return values;
  do values.push(parseValue(cursor, depth)); while (cursor.accept(","));
  cursor.expect("]");
  return values;
}

function parseFields(cursor: Cursor, end: string, depth: number): ValueField[] {
  const fields: ValueField[] = [];
  while (!cursor.accept(end)) {
    fields.push(parseField(cursor, depth));
    if (!cursor.accept(",")) cursor.accept(";");
  }
  return fields;
}

function parseField(cursor: Cursor, depth: number): ValueField {
  const offset = cursor.token.start;
  const isExtension = cursor.accept("[");
  const written = isExtension ? parseBracketed(cursor) : cursor.word("a field's name");
  if (!cursor.accept(":") && !["{", "<", "["].some((symbol) => cursor.isAt(symbol))) {
    cursor.fail('":"');
  }
  const slash = written.lastIndexOf("/") + 1;
  return {
    name: written.slice(slash),
    isExtension,
    urlPrefix: slash > 0 ? written.slice(0, slash) : undefined,
    offset,
    value: parseValue(cursor, depth),
  };
}

/** What stands between `[` and `]`: an extension's name, or the URL of a type. */
function parseBracketed(cursor: Cursor): string {
  const parts = [cursor.word("an extension's name")];
  while (!cursor.accept("]")) {
    const symbol = [".", "/", "-"].find((symbol) => cursor.accept(symbol));
    if (symbol === undefined) cursor.fail('"]"');
    parts.push(symbol, cursor.word("a name"));
  }
  return parts.join("");
}
