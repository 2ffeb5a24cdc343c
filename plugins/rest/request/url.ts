/**
 * A method's URL: base, path template and query.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { Parameter } from "../method/parameter.ts";
import type { MethodEntry } from "../method/methods.ts";
import {
  fillTemplate,
  splitTemplate,
  type Variable,
  variablesOf,
} from "../method/path_template.ts";
import { writeArgument } from "./content.ts";
import { encodeText } from "./encode.ts";
import { writeParameter } from "./parameters.ts";

/** What fills a URL. */
export interface UrlValues {
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  /** Query parameters besides those of the method. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * Builds the URL of a call.
 *
 * @param base the server's URL, without a slash at its end.
 * @throws {BowireError} `invalid_argument` when a path value is empty or would lead to another path.
 */
export function buildUrl(
  base: string,
  entry: MethodEntry,
  { parameters, query }: UrlValues,
): string {
  const { path, pairs } = splitTemplate(entry.path);
  const names = new Set(parameters.keys().map(({ name }) => name));
  const isKnown = (name: string) => names.has(name);
  const inPairs = pairs.flatMap((pair) => variablesOf(pair, isKnown)).map(({ name }) => name);
  const texts = new Map<string, string>();
  const written: string[] = [];
  for (const [parameter, value] of parameters) {
    const { name, place } = parameter;
    if (place === "path") texts.set(name, writeArgument(parameter, value) ?? "");
    if (place !== "query") continue;
    if (inPairs.includes(name)) texts.set(name, writeValue(parameter, value));
    else written.push(writeArgument(parameter, value) ?? "");
  }
  const textOf = ({ name }: Variable) => texts.get(name) ?? "";
  const filledPath = fillTemplate(path, {
    isKnown,
    textOf: (variable) => checkPathValue(variable, textOf(variable)),
  });
  const filledPairs = pairs
    .filter((pair) => variablesOf(pair, isKnown).every(({ name }) => texts.has(name)))
    .map((pair) => fillTemplate(pair, { isKnown, textOf }));
  const all = [...filledPairs, ...written, ...query.map(writePair)].filter((pair) => pair !== "");
  return base + checkPath(entry, filledPath) + (all.length === 0 ? "" : `?${all.join("&")}`);
}

/** Adds query parameters to a URL, keeping those it has. */
export function appendQuery(url: string, pairs: readonly string[]): string {
  if (pairs.length === 0) return url;
  const parsed = new URL(url);
  parsed.search = [...parsed.search === "" ? [] : [parsed.search.slice(1)], ...pairs].join("&");
  return parsed.href;
}

/** `name=value`, percent-encoded. */
export function writePair([name, value]: readonly [name: string, value: string]): string {
  return `${encodeText(name)}=${encodeText(value)}`;
}

/** The value without the name, which the template has. */
function writeValue(parameter: Parameter, value: unknown): string {
  return writeParameter({ ...parameter, place: "path", style: "simple" }, value);
}

/** An empty value makes another path: `/pets//toys` is not one pet's toys. */
function checkPathValue({ name, isRest }: Variable, text: string): string {
  if (text !== "") return isRest ? text.replaceAll("%2F", "/") : text;
  throw new BowireError("invalid_argument", `cannot put "${name}" into the path: it is empty`);
}

/** Dots alone would be resolved away, encoded or not (WHATWG URL, "double-dot path segment"). */
function checkPath(entry: MethodEntry, path: string): string {
  if (!path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return path;
  throw new BowireError(
    "invalid_argument",
    `cannot call "${entry.fullName}": a path segment of dots alone leads to another path`,
  );
}
