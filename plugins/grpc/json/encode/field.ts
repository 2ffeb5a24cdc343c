/**
 * One field on the wire: singular, list or map.
 *
 * @module
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { ScalarType } from "@bufbuild/protobuf";
import {
  type AnyField,
  type Element,
  elementOf,
  isImplicit,
  type ListField,
  type MapField,
  wireTypeOf,
} from "../shared/element.ts";
import { type Given, itemsOf, membersOf } from "./given.ts";
import { writeEnum } from "./enum.ts";
import { isZero, writeScalar } from "./scalar.ts";

/** Writes a field with its tags. */
export function writeField(writer: BinaryWriter, field: AnyField, given: Given): void {
  if (field.fieldKind === "list") return writeList(writer, field, given);
  if (field.fieldKind === "map") return writeMap(writer, field, given);
  const element = elementOf(field);
  if (isImplicit(field)) {
    const bytes = bytesOf(element, given);
    if (isZero(bytes)) return;
    writer.tag(field.number, wireTypeOf(element)).raw(bytes);
  } else writeTagged(writer, field.number, { element, given });
}

function writeTagged(
  writer: BinaryWriter,
  no: number,
  { element, given }: { readonly element: Element; readonly given: Given },
): void {
  writer.tag(no, wireTypeOf(element));
  if (element.kind !== "message" || !element.isDelimited) return writeBare(writer, element, given);
  writer.raw(given.context.encodeBody(element.message, given)).tag(no, WireType.EndGroup);
}

function writeBare(writer: BinaryWriter, element: Element, given: Given): void {
  if (element.kind === "scalar") writeScalar(writer, element.scalar, given);
  else if (element.kind === "enum") writeEnum(writer, element.enum, given);
  else writer.bytes(given.context.encodeBody(element.message, given));
}

function bytesOf(element: Element, given: Given): Uint8Array {
  const writer = new BinaryWriter();
  writeBare(writer, element, given);
  return writer.finish();
}

function writeList(writer: BinaryWriter, field: ListField, given: Given): void {
  const element = elementOf(field);
  const items = itemsOf(given);
  if (items.length === 0) return;
  if (!field.packed) {
    for (const item of items) writeTagged(writer, field.number, { element, given: item });
    return;
  }
  writer.tag(field.number, WireType.LengthDelimited).fork();
  for (const item of items) writeBare(writer, element, item);
  writer.join();
}

function writeMap(writer: BinaryWriter, field: MapField, given: Given): void {
  const keys: Element = { kind: "scalar", scalar: field.mapKey };
  const values = elementOf(field);
  for (const [key, value] of membersOf(given, "an object, for it is a map")) {
    const entry = { ...given, value, place: given.place.entry(key) };
    writer.tag(field.number, WireType.LengthDelimited).fork();
    const keyValue = { ...entry, value: keyOf(key, field.mapKey, entry) };
    writeTagged(writer, 1, { element: keys, given: keyValue });
    writeTagged(writer, 2, { element: values, given: entry });
    writer.join();
  }
}

/** Keys of JSON objects are text, whatever the map's are. */
function keyOf(key: string, scalar: ScalarType, { place }: Given): string | boolean {
  if (scalar === ScalarType.STRING) return key;
  if (scalar === ScalarType.BOOL) return key === "true" || key === "false" ? key === "true" : key;
  // Other ways to write a number would make one entry of two.
  if (!/^-?(?:0|[1-9]\d*)$/.test(key)) {
    throw place.error("is no whole number in plain digits, as its key is to be");
  }
  return key;
}
