/**
 * Reads of JSON data whose shape nobody vouches for.
 *
 * @module
 */
import { isRawJson } from "../../../lib/schema/exact_json.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object; arrays and numbers kept as text are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !isRawJson(value);
}

/** The value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The items of an array, none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members of an object, none for anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

/** Most levels of nesting; what people write stays below 50. */
const MAX_DEPTH = 500;

/**
 * Returns a value unless it would exhaust the stack of whoever walks through it.
 *
 * @throws {RangeError} when it is nested deeper than 500 levels.
 */
export function checkDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`);
  for (const member of Object.values(value)) checkDepth(member, depth + 1);
  return value;
}
