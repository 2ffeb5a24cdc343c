/**
 * Where a method is called: the servers that a document names, resolved against its own URL.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { redactUrl } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";

/**
 * The absolute URL that a method's path is appended to, without a slash at its end. The nearest
 * list of servers counts, and in it the first.
 *
 * @param lists servers of the method, its path and the document.
 * @throws {BowireError} `bad_document` when it is not a URL.
 */
export function baseUrl(lists: readonly unknown[], documentUrl: string): string {
  const server = lists.map((list) => listOf(list)[0]).find(isObject);
  const given = server === undefined ? "/" : withDefaults(server);
  // An empty URL names the document itself (RFC 3986, 5.2.2), which no author means.
  const url = given.includes("{") ? null : URL.parse(given === "" ? "/" : given, documentUrl);
  if (url === null || url.origin === "null") {
    throw new BowireError(
      "bad_document",
      `cannot use the server "${cleanLine(redactUrl(given), 300)}" of "${
        redactUrl(documentUrl)
      }": ` +
        "it is not an HTTP URL whose variables all have defaults",
    );
  }
  return `${url.origin}${withoutEndSlashes(url.pathname)}`;
}

/** A server's URL with each variable at its default. */
function withDefaults(server: JsonObject): string {
  let url = textOf(server["url"])?.trim() ?? "/";
  for (const [name, variable] of entriesOf(server["variables"])) {
    const value = isObject(variable) ? variable["default"] : undefined;
    if (value !== undefined) url = url.replaceAll(`{${name}}`, String(value));
  }
  return url;
}

/** The `servers` of a Swagger 2 document; the scheme it was read by comes first. */
export function swaggerServers(root: JsonObject, documentUrl: string): JsonObject[] {
  const basePath = `/${(textOf(root["basePath"]) ?? "").replace(/^\/+/, "")}`;
  const host = textOf(root["host"])?.replace(/^\w+:\/\//, "");
  if (host === undefined || host === "") return [{ url: basePath }];
  const own = new URL(documentUrl).protocol.slice(0, -1);
  const named = listOf(root["schemes"])
    .filter((scheme): scheme is string => scheme === "http" || scheme === "https");
  const schemes = named.length === 0 || named.includes(own)
    ? [own, ...named.filter((scheme) => scheme !== own)]
    : named;
  return schemes.map((scheme) => ({ url: `${scheme}://${withoutEndSlashes(host)}${basePath}` }));
}

/** In one pass; a pattern takes quadratic time on a text that is nearly all slashes. */
function withoutEndSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === "/") end--;
  return text.slice(0, end);
}
