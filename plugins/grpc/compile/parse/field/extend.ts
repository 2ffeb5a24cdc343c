/**
 * `extend Type { … }`: fields that other messages get.
 *
 * @module
 */
import type { Draft } from "../draft.ts";
import { type FieldHome, parseField } from "./field.ts";
import { parseTypeName } from "../names.ts";

/** Goes past an extend block; its fields go to a home. */
export function parseExtend(draft: Draft, home: FieldHome): void {
  const { cursor } = draft;
  const { start } = cursor.token;
  cursor.expect("extend");
  const extendee = parseTypeName(cursor, "the extended message's name");
  draft.within(home.fieldsPath, undefined, () => draft.end("{", start));
  while (!cursor.isAt("}")) {
    if (cursor.isAt(";")) draft.end(";");
    else parseField(draft, { ...home, extendee });
  }
  draft.end("}");
}
