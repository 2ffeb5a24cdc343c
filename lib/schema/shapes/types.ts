/**
 * The JSON types that a schema allows.
 *
 * @module
 */
import { isObject, type JsonObject, listOf, textOf } from "../json_schema.ts";

/** The JSON types but null, which every field may be when it is not required. */
export type JsonType = "object" | "array" | "string" | "integer" | "number" | "boolean";

/** What is known of a schema's types. */
export interface Typed {
  /** As written. */
  readonly types: ReadonlySet<JsonType>;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly keywords: JsonObject;
}

const JSON_TYPES: ReadonlySet<unknown> = new Set<JsonType>([
  "object",
  "array",
  "string",
  "integer",
  "number",
  "boolean",
]);

/** The types that are written, or else those that the keywords speak of. */
export function inferTypes({ types, properties, keywords }: Typed): ReadonlySet<JsonType> {
  if (types.size > 0) return types;
  if (properties.size > 0 || isObject(keywords["additionalProperties"])) return new Set(["object"]);
  if ((keywords["items"] ?? keywords["prefixItems"]) !== undefined) return new Set(["array"]);
  const values = "const" in keywords ? [keywords["const"]] : listOf(keywords["enum"]);
  if (values.length > 0) return new Set(values.flatMap(typeOfValue));
  if ("pattern" in keywords || textOf(keywords["contentEncoding"]) !== undefined) {
    return new Set(["string"]);
  }
  return types;
}

function typeOfValue(value: unknown): JsonType[] {
  if (value === null) return [];
  if (Array.isArray(value)) return ["array"];
  switch (typeof value) {
    case "string":
      return ["string"];
    case "boolean":
      return ["boolean"];
    case "number":
      return [Number.isInteger(value) ? "integer" : "number"];
    default:
      return isObject(value) ? ["object"] : ["number"];
  }
}

/** The types in a `type` keyword, null and made-up ones aside. */
export function typesOf(type: unknown): Set<JsonType> {
  const named = Array.isArray(type) ? type.flat() : [type];
  return new Set(named.filter((name): name is JsonType => JSON_TYPES.has(name)));
}
