/**
 * What the upgrade from OpenAPI 3.0 has nothing to change about, kept out of its way: it copies all
 * that it sees, which takes longer than the rest of reading a large document.
 *
 * @module
 */
import { isRawJson } from "../../../lib/schema/exact_json.ts";

/** Members that the upgrade looks for, and values of `format`. */
const CHANGED = new Set([
  "nullable",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "example",
  "x-webhooks",
]);
const CHANGED_FORMATS = new Set<unknown>(["binary", "base64", "byte"]);

/**
 * Puts aside, in a document, each object without anything to change in it. Numbers that no double
 * holds are put aside as well, since a copy of one is none.
 *
 * @param tidy gives what is put in the place of an object before.
 * @returns whether there is anything to change in the node.
 */
export function setAside(node: object, tidy: (value: object) => object | undefined): boolean {
  const unchanged: [key: string, value: object][] = [];
  let isChanged = false;
  for (const [key, given] of Object.entries(node)) {
    isChanged ||= CHANGED.has(key) || (key === "format" && CHANGED_FORMATS.has(given));
    if (typeof given !== "object" || given === null) continue;
    const value = isRawJson(given) ? given : tidy(given) ?? given;
    if (value !== given) put(node, key, value);
    if (!isRawJson(value) && setAside(value, tidy)) isChanged = true;
    else unchanged.push([key, value]);
  }
  if (isChanged) { for (const [key, value] of unchanged) put(node, key, aside(value)); }
  return isChanged;
}

/** A list stays one, since the upgrade looks whether it is. */
function aside(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? value.map(aside) : () => value;
}

/** Puts all that was put aside back in its place. */
export function putBack(node: object): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value === "function") put(node, key, value());
    else if (typeof value === "object" && value !== null) putBack(value);
  }
}

/** As an own member, whatever it is called. */
function put(node: object, key: string, value: unknown): void {
  if (key !== "__proto__") Object.assign(node, { [key]: value });
  else Object.defineProperty(node, key, { value, writable: true, enumerable: true });
}
