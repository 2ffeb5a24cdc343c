/**
 * JSON Schema 2020-12 as data: which keywords hold schemas, and reads of nodes nobody vouches for.
 *
 * @module
 */
import { isRawJson } from "./exact_json.ts";

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A node after its `$ref` was followed. */
export interface Followed {
  /** The goal, with the siblings of `$ref` over its own keywords. */
  readonly value: JsonObject;
  /** The goal itself: the same object for every reference to it. */
  readonly identity: object;
  /** Last segment of the reference. */
  readonly name: string | undefined;
}

/** Follows the `$ref` of a node; `undefined` when it leads nowhere. */
export type FollowReference = (node: unknown) => Followed | undefined;

/** The types of JSON Schema besides `integer`. */
export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** Keywords whose value is one schema. */
export const SCHEMA_KEYWORDS = [
  "items",
  "contains",
  "additionalProperties",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
] as const;

/** Keywords whose value is a list of schemas. */
export const LIST_KEYWORDS = ["allOf", "anyOf", "oneOf", "prefixItems"] as const;

/** True for a JSON object; arrays and numbers kept as text are none. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !isRawJson(value);
}

/** True for what may stand where a schema is wanted. */
export function isSchema(value: unknown): value is JsonObject | boolean {
  return typeof value === "boolean" || isObject(value);
}

/** True for `true`, and for the text that sloppy writers put for it. */
export function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** The items of a list, none for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The members of an object that JSON can hold, none for anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
}

/** The value if it is a string. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** An own member, so that names like `constructor` find nothing. */
export function memberOf(value: JsonObject, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The type of a JSON value; `undefined` for what JSON cannot hold. */
export function typeOf(value: unknown): JsonType | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isRawJson(value)) return "number";
  const type = typeof value;
  return type === "boolean" || type === "number" || type === "string" || type === "object"
    ? type
    : undefined;
}

/** Keywords whose schemas speak of the same value as the node that has them. */
const FORM_KEYWORDS = ["allOf", "anyOf", "oneOf"];

/**
 * All nodes that speak of the same value: the goals of references, and the parts and forms of each.
 *
 * @param follow the goal of a node's `$ref`, if it has one.
 * @param maxNodes where to stop looking.
 */
export function joinedNodes(
  schemas: Iterable<unknown>,
  follow: (node: JsonObject) => unknown,
  maxNodes: number,
): JsonObject[] {
  const nodes = new Set(schemas);
  for (const node of nodes) {
    if (!isObject(node) || nodes.size > maxNodes) continue;
    if (typeof node["$ref"] === "string") nodes.add(follow(node));
    for (const keyword of FORM_KEYWORDS) {
      for (const part of listOf(node[keyword])) nodes.add(part);
    }
  }
  return [...nodes].filter(isObject);
}
