/**
 * Default values in the text form of descriptors (`descriptor.proto`, `default_value`).
 *
 * @module
 */
import { FieldDescriptorProto_Type as Type } from "@bufbuild/protobuf/wkt";
import { failAt } from "../../failure.ts";
import type { OptionValue } from "../../syntax/tree.ts";
import { doubleFrom, integerFrom, isIntegerType } from "../../syntax/scalars.ts";
import type { Draft } from "../draft.ts";
import { parseValue } from "../values.ts";

/** Goes past a default value of a field; enums are of no type yet. */
export function parseDefault(draft: Draft, type: Type): string {
  const value = parseValue(draft.cursor);
  const text = textOf(value, type);
  if (text === undefined) {
    failAt(draft.source, value.offset, "expected a default value of the field's type");
  }
  return text;
}

function textOf(value: OptionValue, type: Type): string | undefined {
  if (isIntegerType(type)) return integerFrom(value, type)?.toString();
  switch (type) {
    case Type.FLOAT:
    case Type.DOUBLE: {
      const double = doubleFrom(value);
      return double === undefined ? undefined : textOfNumber(double, type);
    }
    case Type.BOOL:
      return wordOf(value, (word) => word === "true" || word === "false");
    case Type.STRING:
      return value.kind === "bytes" ? new TextDecoder().decode(value.bytes) : undefined;
    case Type.BYTES:
      return value.kind === "bytes" ? escapeBytes(value.bytes) : undefined;
    default:
      return wordOf(value, () => true);
  }
}

function wordOf(value: OptionValue, isWanted: (word: string) => boolean): string | undefined {
  return value.kind === "word" && !value.isNegative && isWanted(value.word)
    ? value.word
    : undefined;
}

/** Digits that usually are enough, and digits that always are (C, `DBL_DIG` and `FLT_DIG`). */
const DIGITS = { double: [15, 17], float: [6, 9] } as const;

/** As C prints `%.15g`, or `%.17g` where that loses something (protoc, SimpleDtoa, SimpleFtoa). */
function textOfNumber(exact: number, type: Type): string {
  const isFloat = type === Type.FLOAT;
  const value = isFloat ? Math.fround(exact) : exact;
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [few, all] = DIGITS[isFloat ? "float" : "double"];
  const read = Number(value.toPrecision(few));
  const precision = (isFloat ? Math.fround(read) : read) === value ? few : all;
  const [digits = "", exponent = "0"] = value.toExponential(precision - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < precision) return withoutZeros(value.toFixed(precision - 1 - power));
  const sign = power < 0 ? "-" : "+";
  return `${withoutZeros(digits)}e${sign}${Math.abs(power).toString().padStart(2, "0")}`;
}

function withoutZeros(digits: string): string {
  return digits.includes(".") ? digits.replace(/0+$/, "").replace(/\.$/, "") : digits;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "'": "\\'",
  "\\": "\\\\",
};

/** Bytes as a C string: what is not printable ASCII in octal (protoc, CEscape). */
function escapeBytes(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => {
    const char = String.fromCharCode(byte);
    if (byte < 0x20 || byte > 0x7e) {
      return ESCAPES[char] ?? `\\${byte.toString(8).padStart(3, "0")}`;
    }
    return ESCAPES[char] ?? char;
  }).join("");
}
