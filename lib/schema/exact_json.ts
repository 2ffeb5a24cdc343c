/**
 * JSON without rounding. Numbers that a double cannot hold are kept as their source text in raw
 * JSON objects (`JSON.rawJSON`), which `JSON.stringify` writes back unchanged.
 *
 * @module
 */

import { canonicalNumber } from "./numbers.ts";
import { isRawJson, makeRawJson, type RawJson } from "./raw_json.ts";

export { isRawJson, type RawJson };

// A cheap look before the slow parse: a double holds any number of up to 15 digits.
const MAY_ROUND = /[\d.]{16}|\d[eE]/;
/** The same where a number may end: in most texts that look so, it is a part of a string. */
const NUMBER_MAY_ROUND = /(?:(?<![\d.])\d[\d.]{15,}|\d[eE][-+]?\d+)\s*(?:[,\]}]|$)/;

/**
 * Parses JSON text; every number stays exact.
 *
 * @throws {SyntaxError} as `JSON.parse` does.
 */
export function parseJson(text: string): unknown {
  if (!MAY_ROUND.test(text) || !NUMBER_MAY_ROUND.test(text)) return JSON.parse(text);
  return JSON.parse(text, keepExact);
}

function keepExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined || isExact(value, source)) return value;
  return makeRawJson(source);
}

/** True when a double is the number that is written. */
function isExact(value: number, source: string): boolean {
  if (!MAY_ROUND.test(source)) return true;
  return Number.isFinite(value) && canonicalNumber(value) === canonicalNumber(makeRawJson(source));
}
