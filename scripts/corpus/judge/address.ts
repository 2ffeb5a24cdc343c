/**
 * Takes a sent URL apart by what the document says: server, path template, query.
 *
 * @module
 */
import { listAt, objectAt, type RawObject, type RawOperation } from "./raw.ts";

/** A URL taken apart. */
export interface Address {
  /** Names of the variables in the query of the path template. */
  readonly queryVariables: readonly string[];
  /** Texts of the path's variables, still encoded. */
  readonly variables: ReadonlyMap<string, string>;
  /** The query without what the path template has of one, still encoded. */
  readonly query: string;
}

/** Names of the variables of a path template, in order; what is behind a `#` is never sent. */
export function variablesOf(path: string): string[] {
  return Array.from(path.replace(/#.*$/s, "").matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name);
}

/**
 * Takes a URL apart.
 *
 * @param baseUrl of the operation's server, without a slash at its end.
 * @returns the reason when the URL is not one of the template.
 */
export function readAddress(sent: string, baseUrl: string, path: string): Address | string {
  const url = new URL(sent);
  const address = url.origin + url.pathname;
  const base = new URL(baseUrl);
  const prefix = base.origin + base.pathname.replace(/\/$/, "");
  if (!address.startsWith(prefix)) return `it does not begin with the server "${baseUrl}"`;
  // Some authors tell operations apart by a query or a fragment in the path.
  const [, place = "", fixedQuery = ""] = /^([^?#]*)\??([^#]*)/.exec(path) ?? [];
  const template = place.startsWith("/") ? place : `/${place}`;
  const match = patternOf(template).exec(address.slice(prefix.length));
  if (match === null) return `"${address.slice(prefix.length)}" is not of "${template}"`;
  const variables = new Map(
    variablesOf(template).map((name, at) => [name, match[at + 1] ?? ""] as const),
  );
  const pairs = url.search.slice(1).split("&");
  for (const fixed of fixedQuery.split("&").filter((pair) => pair !== "")) {
    const pattern = patternOf(fixed);
    const at = pairs.findIndex((pair) => pattern.test(pair));
    if (at < 0) return `its query has no "${fixed}"`;
    const values = pattern.exec(pairs[at] ?? "");
    variablesOf(fixed).forEach((name, index) => variables.set(name, values?.[index + 1] ?? ""));
    pairs.splice(at, 1);
  }
  return { variables, queryVariables: variablesOf(fixedQuery), query: pairs.join("&") };
}

/** Each variable takes as little as it can; fixed characters may be percent-encoded. */
function patternOf(template: string): RegExp {
  const parts = template.split(/(\{[^{}]+\})/).map((part) =>
    /^\{[^{}]+\}$/.test(part) ? "([^/?#&]*?)" : Array.from(part, charPattern).join("")
  );
  return new RegExp(`^${parts.join("")}$`);
}

function charPattern(char: string): string {
  const escaped = RegExp.escape(char);
  const encoded = Array.from(
    new TextEncoder().encode(char),
    (byte) =>
      `%(?:${byte.toString(16).padStart(2, "0")}|${
        byte.toString(16).padStart(2, "0").toUpperCase()
      })`,
  ).join("");
  return `(?:${escaped}|${encoded})`;
}

/** The first server of the nearest list, its variables at their defaults. */
export function serverOf(
  root: RawObject,
  { operation, pathItem }: RawOperation,
  documentUrl: string,
): string | undefined {
  const [list = []] = [operation, pathItem, root].map((holder) => listAt(holder, "servers"))
    .filter(({ length }) => length > 0);
  const server = objectAt(list[0]);
  const url = String(server["url"] ?? "/").trim().replace(
    /\{([^{}]+)\}/g,
    (whole, name) => String(objectAt(server, "variables", name)["default"] ?? whole),
  );
  return url.includes("{") ? undefined : URL.parse(url === "" ? "/" : url, documentUrl)?.href;
}
