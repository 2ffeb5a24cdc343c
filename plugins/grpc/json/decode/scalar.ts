/**
 * Scalars as JSON text.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { base64Encode, BinaryReader } from "@bufbuild/protobuf/wire";
import { floatText, singleText } from "./floats.ts";
import type { At } from "./context.ts";
import { readWire } from "./wire.ts";

/** A value as JSON text. */
export interface Scalar {
  readonly json: string;
  /** True for zero, false and empty: fields with implicit presence leave it out. */
  readonly isZero: boolean;
}

/** A scalar from its bytes. */
export function readScalar(scalar: ScalarType, bytes: Uint8Array, at: At): Scalar {
  if (scalar === ScalarType.STRING) {
    return { json: JSON.stringify(readText(bytes, at)), isZero: bytes.length === 0 };
  }
  if (scalar === ScalarType.BYTES) {
    return { json: `"${base64Encode(bytes)}"`, isZero: bytes.length === 0 };
  }
  return readWire(at.place, () => readNumber(scalar, new BinaryReader(bytes)));
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text; what is no UTF-8 in it is replaced, and noted. */
export function readText(bytes: Uint8Array, { place, context }: At): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    context.report.note(place, "the text is no UTF-8; what could not be read became U+FFFD");
    return LENIENT.decode(bytes);
  }
}

/** The next number or truth value of a reader; 64-bit integers are text in JSON. */
export function readNumber(scalar: ScalarType, reader: BinaryReader): Scalar {
  switch (scalar) {
    case ScalarType.DOUBLE: {
      const value = reader.double();
      return { json: floatText(value), isZero: Object.is(value, 0) };
    }
    case ScalarType.FLOAT: {
      const value = reader.float();
      return { json: singleText(value), isZero: Object.is(value, 0) };
    }
    case ScalarType.BOOL: {
      const value = reader.bool();
      return { json: String(value), isZero: !value };
    }
    default:
      return readInteger(scalar, reader);
  }
}

function readInteger(scalar: ScalarType, reader: BinaryReader): Scalar {
  const value = integerFrom(scalar, reader);
  const isZero = Number(value) === 0;
  return { json: typeof value === "number" ? String(value) : `"${value}"`, isZero };
}

function integerFrom(scalar: ScalarType, reader: BinaryReader): number | bigint | string {
  switch (scalar) {
    case ScalarType.UINT32:
      return reader.uint32();
    case ScalarType.SINT32:
      return reader.sint32();
    case ScalarType.FIXED32:
      return reader.fixed32();
    case ScalarType.SFIXED32:
      return reader.sfixed32();
    case ScalarType.INT64:
      return reader.int64();
    case ScalarType.UINT64:
      return reader.uint64();
    case ScalarType.SINT64:
      return reader.sint64();
    case ScalarType.FIXED64:
      return reader.fixed64();
    case ScalarType.SFIXED64:
      return reader.sfixed64();
    default:
      return reader.int32();
  }
}

/** The zero value as JSON text. */
export function zeroJson(scalar: ScalarType): string {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return '""';
  // Zero bytes are the zero of every width.
  return readNumber(scalar, new BinaryReader(new Uint8Array(8))).json;
}
