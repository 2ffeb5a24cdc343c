/**
 * What a field says of its values beyond their type.
 *
 * @module
 */
import type { EnumValue, Field } from "../../model/mod.ts";
import { cleanLine, cleanText } from "../clean_text.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../json_schema.ts";
import { type Shape, valuesOf } from "../shapes/shape.ts";
import { MAX_NAME_LENGTH } from "./limits.ts";

/** Longest description of a field, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 2000;
/** Longest example, in UTF-16 units of JSON text; longer ones are left out. */
const MAX_EXAMPLE_LENGTH = 1000;
/** Longest pattern. */
const MAX_PATTERN_LENGTH = 500;

const BOUNDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
];

type Details = Partial<
  Pick<
    Field,
    "enumValues" | "description" | "example" | "format" | "isNullable" | "bounds" | "union"
  >
>;

/**
 * The details of a field; those that do not apply are absent.
 *
 * @param shape of the value, and `inner` of each item when the value is a list.
 * @param definition the Parameter or Request Body Object, whose texts come first.
 */
export function detailsOf(
  shape: Shape,
  inner: Shape,
  definition: JsonObject | undefined,
): Details {
  const enumValues = enumValuesOf(inner);
  const description = descriptionOf(definition, shape);
  const example = exampleOf(definition, shape);
  const format = formatOf(inner);
  const bounds = { ...boundsOf(inner), ...boundsOf(shape) };
  return {
    ...(enumValues.length === 0 ? {} : { enumValues }),
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { example }),
    ...(format === undefined ? {} : { format }),
    ...(shape.isNullable ? { isNullable: true } : {}),
    ...(Object.keys(bounds).length === 0 ? {} : { bounds }),
    ...(inner.types.size > 1 ? { union: [...inner.types] } : {}),
  };
}

function enumValuesOf({ keywords }: Shape): EnumValue[] {
  const names = valuesOf(keywords).filter((value) => value !== null).map((value) =>
    cleanLine(typeof value === "string" ? value : JSON.stringify(value) ?? "", MAX_NAME_LENGTH)
  );
  return [...new Set(names)].map((name, number) => ({ name, number }));
}

function descriptionOf(definition: JsonObject | undefined, shape: Shape): string | undefined {
  const text = textOf(definition?.["description"]) ?? textOf(shape.keywords["description"]);
  return text === undefined ? undefined : cleanText(text, MAX_DESCRIPTION_LENGTH) || undefined;
}

/** The parameter's example, else the schema's, else the default, as JSON text. */
function exampleOf(definition: JsonObject | undefined, { keywords }: Shape): string | undefined {
  const example = [...examplesIn(definition), ...examplesIn(keywords), keywords["default"]]
    .find((candidate) => candidate !== undefined);
  const json = example === undefined ? undefined : cleanText(JSON.stringify(example), Infinity);
  return json !== undefined && json.length <= MAX_EXAMPLE_LENGTH ? json : undefined;
}

/** The examples of a Parameter, Media Type or Schema Object. */
export function examplesIn(holder: JsonObject | undefined): unknown[] {
  const examples = holder?.["examples"];
  const named = entriesOf(examples).map(([, example]) =>
    isObject(example) ? example["value"] ?? example["dataValue"] : undefined
  );
  return [holder?.["example"], ...named, ...listOf(examples)]
    .filter((example) => example !== undefined);
}

function formatOf({ keywords }: Shape): string | undefined {
  const format = textOf(keywords["format"]);
  const isType = /^(string|integer|number|boolean|object|array)$/.test(format ?? "");
  return format === undefined || isType
    ? undefined
    : cleanLine(format, MAX_NAME_LENGTH) || undefined;
}

function boundsOf({ keywords }: Shape): Record<string, number | string | boolean> {
  const bounds: Record<string, number | string | boolean> = {};
  for (const name of BOUNDS) {
    const bound = keywords[name];
    if (typeof bound === "number") bounds[name] = bound;
  }
  const pattern = textOf(keywords["pattern"]);
  if (pattern !== undefined && pattern.length <= MAX_PATTERN_LENGTH) {
    bounds["pattern"] = cleanLine(pattern, MAX_PATTERN_LENGTH);
  }
  if (keywords["uniqueItems"] === true) bounds["uniqueItems"] = true;
  return bounds;
}
