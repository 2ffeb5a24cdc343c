/**
 * Copies of JSON values, and their equality.
 *
 * @module
 */
import { isRawJson } from "./exact_json.ts";
import { entriesOf, isObject } from "./json_schema.ts";
import { canonicalNumber, isNumber } from "./numbers.ts";

/** Most levels of a value that is copied or compared. */
const MAX_DEPTH = 100;
/** Most values within a value that is copied. */
const MAX_VALUES = 100_000;

/**
 * A copy that shares nothing that can be changed; `undefined` for what is no JSON value, or is
 * deeper or larger than anyone means.
 */
export function copyValue(value: unknown): unknown {
  let room = MAX_VALUES;
  const copy = (node: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH || --room < 0) throw new RangeError("too large to copy");
    if (Array.isArray(node)) return node.map((item) => copy(item, depth + 1) ?? null);
    if (isObject(node)) {
      return Object.fromEntries(
        entriesOf(node).map(([name, member]) => [name, copy(member, depth + 1)]),
      );
    }
    if (node === null || isNumber(node)) return node;
    return typeof node === "string" || typeof node === "boolean" ? node : undefined;
  };
  try {
    return copy(value, 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The same text for equal JSON values, and for no others down to a depth that nobody reaches
 * (JSON Schema core, section 4.2.2).
 */
export function canonicalText(value: unknown, depth = 0): string {
  if (isNumber(value)) return canonicalNumber(value);
  if (depth > MAX_DEPTH) return "…";
  if (Array.isArray(value)) {
    return `[${value.map((item) => canonicalText(item, depth + 1)).join()}]`;
  }
  if (isObject(value)) {
    const members = entriesOf(value)
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member, depth + 1)}`);
    return `{${members.sort().join()}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** True for equal JSON values: the order of members and the spelling of numbers do not matter. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== typeof b && !isRawJson(a) && !isRawJson(b)) return false;
  if (typeof a === "string" || typeof a === "boolean") return false;
  return canonicalText(a) === canonicalText(b);
}
