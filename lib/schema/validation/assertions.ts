/**
 * Keywords that judge a value without looking into schemas (JSON Schema validation, section 6).
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  type JsonObject,
  type JsonType,
  listOf,
  memberOf,
  typeOf,
} from "../json_schema.ts";
import { canonicalText, isEqual } from "../json_values.ts";
import {
  isMultiple,
  isNumber,
  isWhole,
  isWithin,
  type JsonNumber,
  numberText,
} from "../numbers.ts";
import { compilePattern } from "../patterns.ts";
import { countText, shorten } from "./violations.ts";
import { type Finding, found, wrongType, wrongValue } from "./findings.ts";
import { missedFormat } from "./formats.ts";

/** A value of another type, or none of those that are allowed; then all else is beside the point. */
export function findOtherValue(schema: JsonObject, value: unknown): Finding | undefined {
  const allowed = Array.isArray(schema["enum"])
    ? schema["enum"]
    : schema["const"] !== undefined
    ? [schema["const"]]
    : undefined;
  if (allowed?.some((option) => isEqual(option, value)) === false) {
    return wrongValue(allowed.map((option) => JSON.stringify(option)));
  }
  const types = [schema["type"]].flat().filter((type) => typeof type === "string");
  const given = typeOf(value);
  if (types.length === 0 || given === undefined || hasType(value, types)) return undefined;
  return wrongType(types, given);
}

function hasType(value: unknown, types: readonly string[]): boolean {
  const type: JsonType | undefined = typeOf(value);
  return (type !== undefined && types.includes(type)) ||
    (types.includes("integer") && isNumber(value) && isWhole(value));
}

/** What is wrong with a value of the right type, apart from what schemas within say. */
export function findFaults(schema: JsonObject, value: unknown): Finding[] {
  const faults = typeof value === "string"
    ? textFaults(schema, value)
    : isNumber(value)
    ? numberFaults(schema, value)
    : Array.isArray(value)
    ? listFaults(schema, value)
    : isObject(value)
    ? objectFaults(schema, value)
    : [];
  const format = missedFormat(schema["format"], value);
  return format === undefined ? faults : [...faults, found("format", `is not ${format}`)];
}

function textFaults(schema: JsonObject, value: string): Finding[] {
  const faults: Finding[] = [];
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === "number" && isShorter(value, minLength)) {
    faults.push(found("minLength", `is shorter than ${countText(minLength, "character")}`));
  }
  if (typeof maxLength === "number" && !isShorter(value, maxLength + 1)) {
    faults.push(found("maxLength", `is longer than ${countText(maxLength, "character")}`));
  }
  if (typeof pattern === "string" && compilePattern(pattern)?.test(value) === false) {
    faults.push(found("pattern", `does not match the pattern ${shorten(pattern)}`));
  }
  return faults;
}

/** Compares the number of characters, which are Unicode code points (section 6.3.1). */
function isShorter(text: string, length: number): boolean {
  if (text.length < length) return true;
  if (text.length >= 2 * length) return false;
  return [...text].length < length;
}

function numberFaults(schema: JsonObject, value: JsonNumber): Finding[] {
  const faults: Finding[] = [];
  const limits = [
    ["minimum", "is less than"],
    ["exclusiveMinimum", "is not greater than"],
    ["maximum", "is greater than"],
    ["exclusiveMaximum", "is not less than"],
  ] as const;
  for (const [name, text] of limits) {
    const limit = schema[name];
    if (isNumber(limit) && !isWithin(value, { [name]: limit })) {
      faults.push(found(name, `${text} ${numberText(limit)}`));
    }
  }
  const step = schema["multipleOf"];
  if (isNumber(step) && !isMultiple(value, step)) {
    faults.push(found("multipleOf", `is not a multiple of ${numberText(step)}`));
  }
  return faults;
}

function listFaults(schema: JsonObject, value: readonly unknown[]): Finding[] {
  const faults = countFaults(schema, { count: value.length, noun: "item", name: "Items" });
  if (schema["uniqueItems"] !== true) return faults;
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = canonicalText(item);
    const first = seen.get(text);
    if (first === undefined) seen.set(text, index);
    else {
      faults.push(found("uniqueItems", `has equal items at ${first} and ${index}`));
      break;
    }
  }
  return faults;
}

function objectFaults(schema: JsonObject, value: JsonObject): Finding[] {
  const count = entriesOf(value).length;
  const faults = countFaults(schema, { count, noun: "property", name: "Properties" });
  for (const name of listOf(schema["required"])) {
    if (isMissing(value, name)) {
      faults.push({ path: [String(name)], keyword: "required", message: "is missing" });
    }
  }
  for (const [cause, names] of entriesOf(schema["dependentRequired"])) {
    if (isMissing(value, cause)) continue;
    const message = `is missing; it goes with ${shorten(cause)}`;
    for (const name of listOf(names).filter((name) => isMissing(value, name))) {
      faults.push({ path: [String(name)], keyword: "dependentRequired", message });
    }
  }
  return faults;
}

function isMissing(value: JsonObject, name: unknown): boolean {
  return typeof name === "string" && memberOf(value, name) === undefined;
}

function countFaults(
  schema: JsonObject,
  { count, noun, name }: { count: number; noun: string; name: string },
): Finding[] {
  const [min, max] = [schema[`min${name}`], schema[`max${name}`]];
  const faults: Finding[] = [];
  if (typeof min === "number" && count < min) {
    faults.push(found(`min${name}`, `has fewer than ${countText(min, noun)}`));
  }
  if (typeof max === "number" && count > max) {
    faults.push(found(`max${name}`, `has more than ${countText(max, noun)}`));
  }
  return faults;
}
