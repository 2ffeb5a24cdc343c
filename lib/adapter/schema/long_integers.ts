/**
 * Integers of 64 bits, which many readers of JSON round: a tool takes them as text as well.
 *
 * @module
 */
import { isObject, type JsonObject } from "../../schema/json_schema.ts";
import { resolvePointer } from "../../schema/json_pointer.ts";
import { parseJson } from "../../schema/mod.ts";
import { makeRawJson, type RawJson } from "../../schema/raw_json.ts";
import { mapValues } from "../../schema/validation/coerce.ts";
import { mapSchemas } from "./visit.ts";

/** What 64 bits hold, and how that is written. */
interface Range {
  readonly pattern: string;
  readonly minimum: RawJson | number;
  readonly maximum: RawJson;
}

const RANGES: ReadonlyMap<unknown, Range> = new Map([
  ["int64", {
    pattern: "^-?[0-9]{1,19}$",
    minimum: makeRawJson("-9223372036854775808"),
    maximum: makeRawJson("9223372036854775807"),
  }],
  ["uint64", {
    pattern: "^[0-9]{1,20}$",
    minimum: 0,
    maximum: makeRawJson("18446744073709551615"),
  }],
]);

/** Keywords that list the values: what they list is given as it is listed. */
const LISTS = ["enum", "const"];

/** The schema with text beside each integer of 64 bits. */
export function withTextForLongs(schema: JsonObject): JsonObject {
  const inner = mapSchemas(schema, withTextForLongs);
  const range = rangeOf(schema);
  if (range === undefined || LISTS.some((keyword) => keyword in schema)) return inner;
  return { ...range, ...inner, type: [schema["type"], "string"].flat() };
}

/** The arguments with a number for each text that stands for one. */
export function withNumbersForLongs(args: unknown, schema: JsonObject): unknown {
  return mapValues(args, [schema], {
    resolve: (reference) => resolvePointer(schema, String(reference)),
    map: (part, nodes) =>
      typeof part === "string" && isWhole(part) && nodes.some((node) => rangeOf(node)) &&
        !nodes.some(takesText)
        ? parseJson(part)
        : part,
  });
}

/** The range of a node that takes integers of 64 bits, and no text by itself. */
function rangeOf(node: JsonObject): Range | undefined {
  const isInteger = [node["type"]].flat().includes("integer");
  return isInteger && !takesText(node) ? RANGES.get(node["format"]) : undefined;
}

function takesText({ type }: JsonObject): boolean {
  return [type].flat().includes("string");
}

/** True for a text that is an integer of JSON. */
function isWhole(text: string): boolean {
  return /^-?(?:0|[1-9][0-9]{0,19})$/.test(text);
}

/** Whether a schema has an integer of 64 bits anywhere. */
export function hasLongs(schema: JsonObject): boolean {
  if (rangeOf(schema) !== undefined) return true;
  let isFound = false;
  mapSchemas(schema, (inner) => {
    isFound ||= hasLongs(inner);
    return inner;
  });
  const { $defs } = schema;
  return isFound ||
    (isObject($defs) && Object.values($defs).some((one) => isObject(one) && hasLongs(one)));
}
