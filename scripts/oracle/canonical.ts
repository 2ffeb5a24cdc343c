/**
 * One spelling for all spellings of JSON data.
 *
 * @module
 */
import { canonicalNumber, isNumber } from "../../lib/schema/numbers.ts";

/** JSON data with sorted keys and one spelling of each number. */
export function canonicalJson(value: unknown): string {
  if (isNumber(value)) return Object.is(value, -0) ? "-0" : canonicalNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`)}}`;
}
