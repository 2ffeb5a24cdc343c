/**
 * `google.protobuf.Struct`, `Value` and `ListValue`: any JSON.
 *
 * @module
 */
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isRawJson } from "../../../../../lib/schema/mod.ts";
import { type Given, itemsOf, membersOf } from "../given.ts";
import { textOf } from "../scalar.ts";

/** The bytes of a Struct. */
export function encodeStruct(given: Given): Uint8Array {
  const writer = new BinaryWriter();
  for (const [key, value] of membersOf(given)) {
    const entry = { ...given, value, place: given.place.entry(key) };
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.LengthDelimited).string(textOf({ ...entry, value: key }));
    writer.tag(2, WireType.LengthDelimited).bytes(encodeValue(entry));
    writer.join();
  }
  return writer.finish();
}

/** The bytes of a ListValue. */
export function encodeListValue(given: Given): Uint8Array {
  const writer = new BinaryWriter();
  for (const item of itemsOf(given)) {
    writer.tag(1, WireType.LengthDelimited).bytes(encodeValue(item));
  }
  return writer.finish();
}

/**
 * The bytes of a Value.
 *
 * @throws {BowireError} `invalid_argument` for a number that no double holds: the field's type is
 * any JSON, so nothing tells the caller that it would be rounded.
 */
export function encodeValue(given: Given): Uint8Array {
  const { value, place } = given;
  const writer = new BinaryWriter();
  if (value === null) writer.tag(1, WireType.Varint).int32(0);
  else if (isRawJson(value)) {
    throw place.error(
      "is a number that no double holds, and a google.protobuf.Value has doubles only",
      "write it as text if the server takes text, or with fewer digits",
    );
  } else if (typeof value === "number") writer.tag(2, WireType.Bit64).double(value);
  else if (typeof value === "string") {
    writer.tag(3, WireType.LengthDelimited).string(textOf(given));
  } else if (typeof value === "boolean") writer.tag(4, WireType.Varint).bool(value);
  else if (Array.isArray(value)) {
    writer.tag(6, WireType.LengthDelimited).bytes(encodeListValue(given));
  } else writer.tag(5, WireType.LengthDelimited).bytes(encodeStruct(given));
  return writer.finish();
}
