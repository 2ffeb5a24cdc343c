/**
 * Names with dots.
 *
 * @module
 */
import type { Cursor } from "../syntax/cursor.ts";
import { failAt } from "../failure.ts";

/** Longest name with its dots: it bounds the work of looking a name up. */
const MAX_NAME_LENGTH = 512;

/** Goes past `name` or `package.name`. */
export function parseDotted(cursor: Cursor, what: string): string {
  const { start } = cursor.token;
  let name = cursor.word(what);
  while (cursor.accept(".")) {
    name += `.${cursor.word(what)}`;
    if (name.length > MAX_NAME_LENGTH) {
      failAt(cursor.source, start, `${what} longer than ${MAX_NAME_LENGTH} characters`);
    }
  }
  return name;
}

/** Goes past the name of a type or extension, which may start with a dot. */
export function parseTypeName(cursor: Cursor, what: string): string {
  return cursor.accept(".") ? `.${parseDotted(cursor, what)}` : parseDotted(cursor, what);
}
