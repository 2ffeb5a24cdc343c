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
