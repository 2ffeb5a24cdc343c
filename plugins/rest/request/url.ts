/**
 * A method's URL: base, path template and query.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { Parameter } from "../method/inputs.ts";
import type { MethodEntry } from "../method/methods.ts";
import { baseUrl } from "../method/servers.ts";
import { encodeText, writeParameter } from "./parameters.ts";

/** What fills a URL. */
export interface UrlValues {
  readonly parameters: ReadonlyMap<Parameter, unknown>;
  /** Query parameters besides those of the method. */
  readonly query: readonly (readonly [name: string, value: string])[];
}

/**
 * Builds the URL of a call.
 *
 * @throws {BowireError} `invalid_argument` when a path value is empty or would lead to another path.
 */
export function buildUrl(
  document: ApiDocument,
  entry: MethodEntry,
  { parameters, query }: UrlValues,
): string {
  const base = baseUrl(
    [entry.operation["servers"], entry.pathItem["servers"], document.root["servers"]],
    document.url,
  );
  const pairs: string[] = [];
  let path = entry.path.startsWith("/") ? entry.path : `/${entry.path}`;
  for (const [parameter, value] of parameters) {
    const text = writeParameter(parameter, value);
    if (parameter.place === "query" && text !== "") pairs.push(text);
    if (parameter.place === "path") {
      path = path.replaceAll(`{${parameter.name}}`, () => checkPathValue(parameter.name, text));
    }
  }
  return appendQuery(base + checkPath(entry, path), [...pairs, ...query.map(writePair)]);
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

/** An empty value makes another path: `/pets//toys` is not one pet's toys. */
function checkPathValue(name: string, text: string): string {
  if (text !== "") return text;
  throw new BowireError("invalid_argument", `cannot put "${name}" into the path: it is empty`);
}

/** Dots alone would be resolved away, encoded or not (WHATWG URL, "double-dot path segment"). */
function checkPath(entry: MethodEntry, path: string): string {
  if (!path.split(/[/?#]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return path;
  throw new BowireError(
    "invalid_argument",
    `cannot call "${entry.fullName}": a path segment of dots alone leads to another path`,
  );
}
