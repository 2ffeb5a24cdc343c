/**
 * The members of a JSON object as the fields of a message.
 *
 * @module
 */
import type { DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { type AnyField, isRequired, NULL_VALUE } from "../shared/element.ts";
import { findField } from "./names.ts";
import { writeField } from "./field.ts";
import { type Given, membersOf } from "./given.ts";

/** The bytes of a message whose JSON is an object of its fields. */
export function encodeFields(type: DescMessage, given: Given): Uint8Array {
  const chosen = chooseFields(type, given);
  for (const field of type.fields) {
    if (!isRequired(field) || chosen.has(field)) continue;
    throw given.place.field(field.jsonName).error("is missing: the field is required");
  }
  const writer = new BinaryWriter();
  for (const [field, value] of [...chosen].sort(([a], [b]) => a.number - b.number)) {
    writeField(writer, field, value);
  }
  return writer.finish();
}

/** The fields that are set, each with its value. */
function chooseFields(type: DescMessage, given: Given): Map<AnyField, Given> {
  const chosen = new Map<AnyField, Given>();
  const names = new Map<unknown, string>();
  for (const [name, value] of membersOf(given)) {
    const field = findField(type, { name, given });
    if (value === null && !mayBeNull(field)) continue;
    const place = given.place.field(field.jsonName);
    // A oneof takes one of its fields; any other field takes one of its two names.
    const slot = field.oneof ?? field;
    const other = names.get(slot);
    if (other !== undefined) {
      throw place.error(
        `is set by "${name}" and by "${other}"`,
        field.oneof === undefined
          ? "leave one of them out: they are two names of one field"
          : `set one of ${field.oneof.fields.map(({ jsonName }) => jsonName).join(", ")}`,
      );
    }
    names.set(slot, name);
    chosen.set(field, { ...given, value, place });
  }
  return chosen;
}

/** Everywhere else `null` is the same as leaving the field out. */
function mayBeNull(field: AnyField): boolean {
  if (field.fieldKind === "enum") return field.enum.typeName === NULL_VALUE;
  return field.fieldKind === "message" && field.message.typeName === "google.protobuf.Value";
}
