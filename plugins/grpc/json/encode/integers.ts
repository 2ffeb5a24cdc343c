/**
 * Whole numbers of all widths, exact, as numbers or as text.
 *
 * @module
 */
import { ScalarType } from "@bufbuild/protobuf";
import { canonicalNumber } from "../../../../lib/schema/numbers.ts";
import { isRawJson, makeRawJson } from "../../../../lib/schema/raw_json.ts";
import { type Given, wrongKind } from "./given.ts";

/** A JSON number (RFC 8259, section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** As many digits as the largest whole number has. */
const MAX_DIGITS = 20;

/** The source text of a JSON number that stands as such or as text. */
export function numberTextOf(value: unknown): string | undefined {
  if (isRawJson(value)) return value.rawJSON;
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  return typeof value === "string" && NUMBER.test(value) ? value : undefined;
}

/** `1.0` and `1e3` are whole, as protobuf's JSON has it. */
function wholeOf(text: string): bigint | "fraction" | "too large" {
  const canonical = canonicalNumber(makeRawJson(text));
  if (canonical === "0") return 0n;
  const [, sign = "", digits = "", power = ""] = /^(-?)0\.(\d+)e(.+)$/.exec(canonical) ?? [];
  const point = Number(power);
  if (digits.length > point) return "fraction";
  return point > MAX_DIGITS ? "too large" : BigInt(sign + digits.padEnd(point, "0"));
}

/**
 * The whole number of a value, within the range of its type.
 *
 * @throws {BowireError} `invalid_argument` for anything else.
 */
export function integerOf(given: Given, scalar: ScalarType): bigint {
  const text = numberTextOf(given.value);
  if (text === undefined) throw wrongKind(given, "a whole number");
  const whole = wholeOf(text);
  if (whole === "fraction") throw given.place.error("is no whole number, wanted one");
  const { min, max } = rangeOf(scalar);
  if (whole === "too large" || whole < min || whole > max) {
    throw given.place.error(`is out of range, wanted a whole number from ${min} to ${max}`);
  }
  return whole;
}

function rangeOf(scalar: ScalarType): { readonly min: bigint; readonly max: bigint } {
  switch (scalar) {
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return { min: 0n, max: 2n ** 32n - 1n };
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return { min: 0n, max: 2n ** 64n - 1n };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return { min: -(2n ** 63n), max: 2n ** 63n - 1n };
    default:
      return { min: -(2n ** 31n), max: 2n ** 31n - 1n };
  }
}
