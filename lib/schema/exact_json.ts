/**
 * JSON without rounding. Numbers that a double cannot hold are kept as their source text in raw
 * JSON objects (`JSON.rawJSON`), which `JSON.stringify` writes back unchanged.
 *
 * @module
 */

/** A number kept as its source text. Made by the engine: frozen, and recognised by identity. */
export interface RawJson {
  readonly rawJSON: string;
}

/** The two newer functions of `JSON` that the type library lacks. */
interface RawJsonSupport {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
}
const engine = JSON as typeof JSON & RawJsonSupport;

/** True for a number that is kept as text. */
export function isRawJson(value: unknown): value is RawJson {
  return engine.isRawJSON(value);
}

// A cheap look before the slow parse: a double holds any number of up to 15 digits.
const MAY_ROUND = /[\d.]{16}|\d[eE]/;

/**
 * Parses JSON text; every number stays exact.
 *
 * @throws {SyntaxError} as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  if (!MAY_ROUND.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepExact);
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || isExact(value, source)) return value;
  return engine.rawJSON(source);
}

/** True when a double spells the same number again: same significant digits, same magnitude. */
function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  return normalForm(String(value)) === normalForm(source);
}

/** `-12.50e3` as `-125e2`: digits without leading and trailing zeros, and the power of ten. */
function normalForm(number: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number);
  if (match === null) return number;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/(?<!0)0+$/, ""); // looks at each run of zeros once
  if (significant === "") return "0";
  return `${sign}${significant}e${
    Number(exponent) - fraction.length + digits.length - significant.length
  }`;
}
