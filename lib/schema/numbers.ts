/**
 * Exact comparison of JSON numbers, be they doubles or kept as text: a double is taken for the
 * decimal number that it is written as, so that 19.99 is a multiple of 0.01.
 *
 * @module
 */
import { isRawJson, type RawJson } from "./raw_json.ts";

/** A number of JSON data. */
export type JsonNumber = number | RawJson;

/** True for a number of JSON data. */
export function isNumber(value: unknown): value is JsonNumber {
  return isRawJson(value) || (typeof value === "number" && Number.isFinite(value));
}

/** The number as JSON writes it. */
export function numberText(value: JsonNumber): string {
  return isRawJson(value) ? value.rawJSON : String(value);
}

/** ±0.`digits` × 10^`point`; the digits start and end with none of `0`, and are empty for zero. */
interface Decimal {
  readonly sign: 1 | -1;
  readonly digits: string;
  readonly point: number;
}

function decimalOf(value: JsonNumber): Decimal {
  const [mantissa = "", power = "0"] = numberText(value).toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const lost = whole.length + fraction.length - digits.length;
  return {
    sign: mantissa.startsWith("-") && digits !== "" ? -1 : 1,
    digits: digits.replace(/(?<!0)0+$/, ""), // looks at each run of zeros once
    point: digits === "" ? 0 : whole.length - lost + Number(power),
  };
}

/** Negative when `a` is less than `b`, 0 when they are equal. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === "number" && typeof b === "number") return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [decimalOf(a), decimalOf(b)];
  if (left.sign !== right.sign) return left.sign;
  return left.sign * compareSizes(left, right);
}

function compareSizes(a: Decimal, b: Decimal): number {
  if (a.digits === "" || b.digits === "") return a.digits.length - b.digits.length;
  if (a.point !== b.point) return a.point - b.point;
  return a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0;
}

/** Bounds of a number, under the names of JSON Schema. */
export type Limits = Readonly<
  Partial<
    Record<"minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum", JsonNumber>
  >
>;

/**
 * True when the number keeps all limits. A double may stand for a longer number that was rounded:
 * it passes when either of them keeps the limit.
 */
export function isWithin(value: JsonNumber, limits: Limits): boolean {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = limits;
  return holds(value, minimum, (order) => order >= 0) &&
    holds(value, exclusiveMinimum, (order) => order > 0) &&
    holds(value, maximum, (order) => order <= 0) &&
    holds(value, exclusiveMaximum, (order) => order < 0);
}

function holds(
  value: JsonNumber,
  limit: JsonNumber | undefined,
  test: (order: number) => boolean,
): boolean {
  if (limit === undefined || test(compareNumbers(value, limit))) return true;
  return typeof value === "number" && isRawJson(limit) && test(value - Number(limit.rawJSON));
}

/** True for a number without a fraction: `1.0` and `1e3` are whole. */
export function isWhole(value: JsonNumber): boolean {
  if (typeof value === "number") return Number.isInteger(value);
  const { digits, point } = decimalOf(value);
  return digits.length <= point;
}

/** Most digits that are divided; beyond, every number passes for a multiple. */
const MAX_DIVIDED_DIGITS = 1000;

/** True when `value` is a whole number of times `step`, which is not zero. */
export function isMultiple(value: JsonNumber, step: JsonNumber): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step)) {
    return Number(value) % Number(step) === 0;
  }
  const [a, b] = [decimalOf(value), decimalOf(step)];
  if (a.digits === "") return true;
  const [powerA, powerB] = [a.point - a.digits.length, b.point - b.digits.length];
  const power = Math.min(powerA, powerB);
  const [lengthA, lengthB] = [a.point - power, b.point - power];
  if (Math.max(lengthA, lengthB) > MAX_DIVIDED_DIGITS) return true;
  return BigInt(a.digits.padEnd(lengthA, "0")) % BigInt(b.digits.padEnd(lengthB, "0")) === 0n;
}

/** One spelling for all spellings of a number. */
export function canonicalNumber(value: JsonNumber): string {
  const { sign, digits, point } = decimalOf(value);
  return digits === "" ? "0" : `${sign < 0 ? "-" : ""}0.${digits}e${point}`;
}
