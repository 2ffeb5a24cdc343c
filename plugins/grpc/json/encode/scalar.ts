/**
 * Scalars on the wire.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { base64Decode, type BinaryWriter } from "@bufbuild/protobuf/wire";
import { type Given, wrongKind } from "./given.ts";
import { integerOf, numberTextOf } from "./integers.ts";

/** Writes a scalar without a tag. */
export function writeScalar(writer: BinaryWriter, scalar: ScalarType, given: Given): void {
  switch (scalar) {
    case ScalarType.DOUBLE:
      return void writer.double(floatOf(given));
    case ScalarType.FLOAT:
      return void writer.float(singleOf(given));
    case ScalarType.BOOL:
      return void writer.bool(booleanOf(given));
    case ScalarType.STRING:
      return void writer.string(textOf(given));
    case ScalarType.BYTES:
      return void writer.bytes(bytesOf(given));
    default:
      return writeInteger(writer, scalar, integerOf(given, scalar));
  }
}

function writeInteger(writer: BinaryWriter, scalar: ScalarType, value: bigint): void {
  switch (scalar) {
    case ScalarType.INT32:
      return void writer.int32(Number(value));
    case ScalarType.SINT32:
      return void writer.sint32(Number(value));
    case ScalarType.UINT32:
      return void writer.uint32(Number(value));
    case ScalarType.FIXED32:
      return void writer.fixed32(Number(value));
    case ScalarType.SFIXED32:
      return void writer.sfixed32(Number(value));
    case ScalarType.INT64:
      return void writer.int64(value);
    case ScalarType.SINT64:
      return void writer.sint64(value);
    case ScalarType.UINT64:
      return void writer.uint64(value);
    case ScalarType.FIXED64:
      return void writer.fixed64(value);
    default:
      return void writer.sfixed64(value);
  }
}

/**
 * True for the bytes of a zero, false, or empty scalar. Of every scalar, that one and no other is
 * made of zero bytes only: -0 has its sign, text has its length.
 */
export function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

const NAMED_FLOATS: ReadonlyMap<unknown, number> = new Map([
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

/** The double nearest to a number, as the field's type has it. */
function floatOf(given: Given): number {
  const named = NAMED_FLOATS.get(given.value);
  if (named !== undefined) return named;
  const text = numberTextOf(given.value);
  if (text === undefined) throw wrongKind(given, 'a number, "NaN", "Infinity" or "-Infinity"');
  const value = Number(text);
  if (!Number.isFinite(value)) throw given.place.error("is too large for a double");
  return value;
}

function singleOf(given: Given): number {
  const value = floatOf(given);
  if (Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
    throw given.place.error("is too large for a float");
  }
  return value;
}

function booleanOf(given: Given): boolean {
  if (typeof given.value !== "boolean") throw wrongKind(given, "true or false");
  return given.value;
}

/** @throws {BowireError} for half a surrogate pair too: UTF-8 has none. */
export function textOf(given: Given): string {
  const { value, place } = given;
  if (typeof value !== "string") throw wrongKind(given, "text");
  if (!value.isWellFormed()) throw place.error("has half a surrogate pair, wanted Unicode text");
  return value;
}

/** Both alphabets, with the padding or without. */
const BASE64 = /^[\w+/-]*={0,2}$/;

function bytesOf(given: Given): Uint8Array {
  const { value } = given;
  if (typeof value !== "string") throw wrongKind(given, "bytes as base64 text");
  const isPadded = value.endsWith("=");
  const isWhole = isPadded ? value.length % 4 === 0 : value.length % 4 !== 1;
  if (!isWhole || !BASE64.test(value)) throw given.place.error("is text that is no base64");
  return base64Decode(value);
}
