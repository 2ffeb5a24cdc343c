/**
 * Keywords of one schema node: which types they speak of, and which of them say nothing.
 *
 * @module
 */
import { isObject, type JsonObject, listOf } from "../../schema/json_schema.ts";
import { isEqual } from "../../schema/json_values.ts";
import { capText } from "./texts.ts";

/** A type as JSON Schema names it. */
export type TypeName = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

/** The type that a keyword speaks of; values of other types pass it. */
const TYPE_OF: ReadonlyMap<string, TypeName> = new Map(
  Object.entries({
    string: ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
    number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
    array: [
      "items",
      "prefixItems",
      "contains",
      "minContains",
      "maxContains",
      "minItems",
      "maxItems",
      "uniqueItems",
      "unevaluatedItems",
    ],
    object: [
      "properties",
      "patternProperties",
      "additionalProperties",
      "unevaluatedProperties",
      "propertyNames",
      "required",
      "dependentRequired",
      "dependentSchemas",
      "minProperties",
      "maxProperties",
    ],
  }).flatMap(([type, keywords]) => keywords.map((keyword) => [keyword, type as TypeName])),
);

/** Formats of numbers; the others are those of texts. */
const NUMBER_FORMATS = /^(?:u?int\d*|float|double|decimal|number|integer)$/;

/** What a format says besides itself. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
};

/** Longest description of what is within a schema, in UTF-16 units. */
const MAX_DESCRIPTION = 300;
/** Most examples, and the longest example or default as JSON. */
const [MAX_EXAMPLES, MAX_EXAMPLE] = [2, 200];

/** The type that a keyword of a node speaks of; `undefined` when it speaks of all. */
export function typeOfKeyword(keyword: string, node: JsonObject): TypeName | undefined {
  if (keyword !== "format") return TYPE_OF.get(keyword);
  return NUMBER_FORMATS.test(String(node["format"])) ? "number" : "string";
}

/** True when a keyword of one type speaks of values of another: an integer is a number. */
export function speaksOf(keywordType: TypeName, type: TypeName): boolean {
  return keywordType === type || (keywordType === "number" && type === "integer");
}

/** The node without keywords that say nothing or cost more than they say. */
export function trim(node: JsonObject, name: string | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(node).flatMap(([keyword, value]) => {
      const kept = keep(keyword, value, { node, name });
      return kept === undefined ? [] : [[keyword, kept]];
    }),
  );
}

function keep(
  keyword: string,
  value: unknown,
  { node, name }: { node: JsonObject; name: string | undefined },
): unknown {
  switch (keyword) {
    case "title":
      return node["description"] === undefined && !isSameText(value, name) ? value : undefined;
    case "description":
      return keepDescription(value);
    case "default":
      return JSON.stringify(value).length > MAX_EXAMPLE ? undefined : value;
    case "examples":
      return keepExamples(value, node);
    case "additionalProperties":
    case "unevaluatedProperties":
    case "unevaluatedItems":
    case "propertyNames":
      return saysNothing(value) ? undefined : value;
    case "minLength":
    case "minItems":
    case "minProperties":
      return value === 0 ? undefined : value;
    case "minimum":
    case "maximum":
      return isInFormat(keyword, node) ? undefined : value;
    case "readOnly":
    case "writeOnly":
    case "contentSchema":
      return undefined;
    default:
      return value;
  }
}

function keepDescription(value: unknown): string | undefined {
  return typeof value === "string" ? capText(value, MAX_DESCRIPTION) || undefined : undefined;
}

function keepExamples(value: unknown, node: JsonObject): unknown[] | undefined {
  const values = listOf(value)
    .filter((example) => JSON.stringify(example).length <= MAX_EXAMPLE)
    .filter((example) => !isEqual(example, node["default"]) && !listOf(node["enum"]).length)
    .slice(0, MAX_EXAMPLES);
  return values.length === 0 ? undefined : values;
}

/** True for a schema that any value satisfies. */
export function saysNothing(schema: unknown): boolean {
  return schema === true || (isObject(schema) && Object.keys(schema).length === 0);
}

/** True for a limit that the format says as well. */
function isInFormat(keyword: "minimum" | "maximum", node: JsonObject): boolean {
  const range = RANGES[String(node["format"])];
  return range !== undefined && range[keyword === "minimum" ? 0 : 1] === node[keyword];
}

/** True for texts of the same letters and digits: `Pet Id` and `petId`. */
function isSameText(title: unknown, name: string | undefined): boolean {
  const letters = (text: string) => text.replace(/[\s_.-]+/g, "").toLowerCase();
  return typeof title !== "string" || (name !== undefined && letters(title) === letters(name));
}
