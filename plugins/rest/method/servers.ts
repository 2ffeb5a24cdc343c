/**
 * Where a method is called: the servers that a document names, resolved against its own URL.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { APP_SCHEME, redactUrl } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";

/**
 * The absolute URLs that a method's path may be appended to, without a slash at their ends, the
 * preferred first. The nearest list of servers counts.
 *
 * @param lists servers of the method, its path and the document.
 * @param variables values for the servers' variables, by name; others are at their defaults.
 * @throws {BowireError} `bad_document` when none is a URL, `invalid_argument` for a value that a
 * variable does not take.
 */
export function baseUrls(
  lists: readonly unknown[],
  documentUrl: string,
  variables: ReadonlyMap<string, string> = new Map(),
): string[] {
  const servers = lists.map((list) => listOf(list).filter(isObject))
    .find(({ length }) => length > 0);
  const given = servers?.map((server) => withValues(server, variables)) ?? ["/"];
  const app = documentUrl.startsWith(`${APP_SCHEME}:`) ? new URL(documentUrl) : undefined;
  const urls = given.flatMap((text) => {
    // An empty URL names the document itself (RFC 3986, 5.2.2), which no author means.
    const url = text.includes("{") ? null : URL.parse(text === "" ? "/" : text, documentUrl);
    if (url === null) return [];
    // Whatever host an app's document names, it is the app that answers.
    const { protocol, host } = app ?? url;
    return app === undefined && !/^https?:$/.test(protocol)
      ? []
      : [`${protocol}//${host}${withoutEndSlashes(url.pathname)}`];
  });
  if (urls.length > 0) return urls;
  throw new BowireError(
    "bad_document",
    `cannot use the server "${cleanLine(redactUrl(given[0] ?? ""), 300)}" of "${
      redactUrl(documentUrl)
    }": it is not an HTTP URL whose variables all have values`,
    { hint: "give a variable's value as metadata, as in -H '__bowireServer__region: eu'" },
  );
}

/** A server's URL with the value of each variable, its default when none is given. */
function withValues(server: JsonObject, values: ReadonlyMap<string, string>): string {
  const variables = new Map(entriesOf(server["variables"]));
  const url = textOf(server["url"])?.trim() ?? "/";
  return url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const node = variables.get(name);
    const variable = isObject(node) ? node : {};
    const choices = listOf(variable["enum"]).map(String);
    const given = values.get(name);
    if (given !== undefined && choices.length > 0 && !choices.includes(given)) {
      throw new BowireError("invalid_argument", `cannot use that value of the server's "${name}"`, {
        hint: `it is one of: ${
          choices.slice(0, 20).map((choice) => cleanLine(choice, 100)).join(", ")
        }`,
      });
    }
    return String(given ?? variable["default"] ?? whole);
  });
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
