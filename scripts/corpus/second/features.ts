/**
 * What a call has that the two clients are known to write each in its own way; the names are looked
 * up in `explained.ts`.
 *
 * @module
 */
import { type Case, parametersOf, valueOf } from "../judge/case.ts";
import type { Content } from "../judge/content.ts";
import type { RawParameter } from "../judge/inputs.ts";
import { namesOfSeveral } from "../judge/places.ts";
import { isRawObject } from "../judge/raw.ts";
import { isNested } from "../judge/values.ts";

type Feature = readonly [
  name: string,
  isThere: (parameter: RawParameter, value: unknown) => boolean,
];

const QUERY_FEATURES: readonly Feature[] = [
  ["empty text", (_, value) => value === ""],
  ["an empty list", (_, value) => Array.isArray(value) && value.length === 0],
  ["reserved characters", ({ definition }) => definition["allowReserved"] === true],
  ["a list as deepObject", ({ style }, value) => style === "deepObject" && Array.isArray(value)],
  ["structures within", (_, value) => isNested(value)],
  ["JSON", ({ isJson }) => isJson],
];

const TEMPLATE_QUERY = "a query in the path template";

/** What explains a difference of paths. */
export function featureOfPath({ operation }: Case): string {
  return hasTemplateQuery(operation.path) ? TEMPLATE_QUERY : "nothing special";
}

/** The first feature of a query that explains a difference. */
export function featureOfQuery(call: Case): string {
  if (hasTemplateQuery(call.operation.path)) return TEMPLATE_QUERY;
  const given = parametersOf(call)
    .filter(({ place, name }) => place === "query" && valueOf(call, name) !== undefined);
  if (namesOfSeveral(call, given).size > 0) return "a name of several parameters";
  const feature = QUERY_FEATURES.find(([, isThere]) =>
    given.some((parameter) => isThere(parameter, valueOf(call, parameter.name)))
  );
  return feature?.[0] ?? "nothing special";
}

/** The same of a form. */
export function featureOfForm({ value }: Content): string {
  const fields = isRawObject(value) ? Object.values(value) : [];
  if (fields.some(isNested)) return "structures within";
  if (fields.some(Array.isArray)) return "a list";
  if (fields.some(isRawObject)) return "an object";
  return fields.some(isJsonText) ? "text that is JSON" : "nothing special";
}

function hasTemplateQuery(path: string): boolean {
  return path.replace(/#.*$/s, "").includes("?");
}

function isJsonText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return JSON.parse(value) !== value;
  } catch {
    return false;
  }
}
