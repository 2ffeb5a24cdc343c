/**
 * One schema node put right: keywords that mean something in JSON Schema 2020-12, with values that
 * its meta-schema admits. Keywords that hold schemas are the caller's.
 *
 * @module
 */
import { cleanText } from "../clean_text.ts";
import { entriesOf, isObject, isTrue, type JsonObject, listOf } from "../json_schema.ts";
import { cleanPattern } from "../patterns.ts";
import { cleanTypes } from "./types.ts";
import { canonicalText, copyValue } from "../json_values.ts";
import { isNumber, type JsonNumber } from "../numbers.ts";
import { isRawJson, parseJson } from "../exact_json.ts";

/** Longest title or description, in UTF-16 units. */
const MAX_TEXT_LENGTH = 2000;

/** Reads one keyword; `undefined` leaves it out. */
type Reader = (value: unknown, node: JsonObject) => unknown;

/** What is kept besides types, numeric limits and examples, in the order of the output. */
const READERS: Readonly<Record<string, Reader>> = {
  title: readText,
  description: readText,
  format: readString,
  contentEncoding: readString,
  contentMediaType: readString,
  pattern: (value) => typeof value === "string" ? cleanPattern(value) : undefined,
  minLength: readCount,
  maxLength: readCount,
  minItems: readCount,
  maxItems: readCount,
  uniqueItems: readFlag,
  minContains: (value, node) => "contains" in node ? readCount(value) : undefined,
  maxContains: (value, node) => "contains" in node ? readCount(value) : undefined,
  minProperties: readCount,
  maxProperties: readCount,
  default: copyValue,
  deprecated: readFlag,
  readOnly: readFlag,
  writeOnly: readFlag,
};

/** The keywords of a node that hold no schemas; `required` and `$ref` are left to the caller. */
export function cleanKeywords(node: JsonObject): Record<string, unknown> {
  const output: Record<string, unknown> = {};
  const put = (name: string, value: unknown) => {
    if (value !== undefined) output[name] = value;
  };
  const types = cleanTypes(node);
  put("type", types.type);
  for (const [name, read] of Object.entries(READERS)) {
    if (name in node) put(name, read(node[name], node));
  }
  if (output["format"] === undefined) put("format", types.format);
  put("enum", types.enum);
  put("const", types.const);
  put("examples", readExamples(node));
  put("dependentRequired", readDependentRequired(node));
  for (const [name, value] of Object.entries(readLimits(node))) put(name, value);
  return output;
}

/** The names of a list of names, each once; nothing is named with nothing. */
export function readNames(value: unknown): string[] {
  const names = new Set(listOf(value).filter((name) => typeof name === "string"));
  names.delete("");
  return [...names];
}

function readText(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  return cleanText(value, MAX_TEXT_LENGTH) || undefined;
}

function readString(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readFlag(value: unknown): true | undefined {
  return isTrue(value) ? true : undefined;
}

/** A number, be it written as text. */
function readNumber(value: unknown): JsonNumber | undefined {
  if (isNumber(value)) return value;
  if (typeof value !== "string" || !/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  try {
    const number = parseJson(value);
    return isNumber(number) ? number : undefined;
  } catch {
    return undefined; // digits that are no JSON number: a leading zero
  }
}

/** A count; those that no double holds limit nothing. */
function readCount(value: unknown): number | undefined {
  const number = readNumber(value);
  return Number.isSafeInteger(number) && Number(number) >= 0 ? Number(number) : undefined;
}

/** Draft 7 has them among `dependencies`. */
function readDependentRequired(node: JsonObject): JsonObject | undefined {
  const all = [...entriesOf(node["dependencies"]), ...entriesOf(node["dependentRequired"])];
  const lists = all.flatMap(([name, names]) => {
    const list = readNames(names);
    return list.length === 0 ? [] : [[name, list]];
  });
  return lists.length === 0 ? undefined : Object.fromEntries(lists);
}

/** Limits of numbers; those that draft 4 makes exclusive by a flag beside them too. */
function readLimits(node: JsonObject): Record<string, JsonNumber> {
  const limits: Record<string, JsonNumber> = {};
  const pairs = [["minimum", "exclusiveMinimum"], ["maximum", "exclusiveMaximum"]] as const;
  for (const [inclusive, exclusive] of pairs) {
    const limit = readNumber(node[inclusive]);
    const beyond = readNumber(node[exclusive]);
    if (limit !== undefined) limits[isTrue(node[exclusive]) ? exclusive : inclusive] = limit;
    if (beyond !== undefined) limits[exclusive] = beyond;
  }
  const step = readNumber(node["multipleOf"]);
  if (step !== undefined && (isRawJson(step) ? !step.rawJSON.startsWith("-") : step > 0)) {
    limits["multipleOf"] = step;
  }
  return limits;
}

/** `example` before `examples`; OpenAPI's named examples as a list. */
function readExamples(node: JsonObject): unknown[] | undefined {
  const named = entriesOf(node["examples"]).map(([, example]) => example);
  const hasNames = named.length > 0 &&
    named.every((example) => isObject(example) && "value" in example);
  const several = hasNames
    ? named.map((example) => isObject(example) ? example["value"] : undefined)
    : "examples" in node && !Array.isArray(node["examples"])
    ? [node["examples"]]
    : listOf(node["examples"]);
  const values = [node["example"], ...several].map(copyValue).filter((value) =>
    value !== undefined
  );
  const distinct = new Map(values.map((value) => [canonicalText(value), value]));
  return distinct.size === 0 ? undefined : [...distinct.values()];
}
