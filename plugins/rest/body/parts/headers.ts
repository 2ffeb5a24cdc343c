/**
 * The headers of a part that its Encoding Object describes (OpenAPI 3.1, Encoding Object).
 *
 * @module
 */
import { BowireError } from "../../../../lib/errors/mod.ts";
import { entriesOf, isObject, type JsonObject, listOf } from "../../document/json.ts";
import { setHeader } from "../../../../lib/protocol/mod.ts";
import { toText } from "../../request/parameters.ts";
import type { BodyForm } from "../body_form.ts";

/** A part, and what references within its Encoding Object lead to. */
export interface PartOwner {
  readonly document: BodyForm["document"];
  /** The part's value, for messages. */
  readonly what: string;
}

/**
 * Headers by lower-case name. What the caller gives comes first, under `headers` of an object that
 * stands for bytes; then what the document fixes by a `const`, a `default` or an `enum` of one.
 *
 * @throws {BowireError} `invalid_argument` when a required header has no value, or one that no
 * header can carry.
 */
export function partHeaders(
  rule: JsonObject,
  given: JsonObject,
  { document, what }: PartOwner,
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) setHeader(headers, name, textOfHeader(value));
  for (const [name, definition] of definitionsIn(rule, document)) {
    if (headers.has(name.toLowerCase())) continue;
    const value = fixedValue(definition);
    if (value !== undefined) setHeader(headers, name, textOfHeader(value));
    else if (definition["required"] === true) throw missingHeader(name, what);
  }
  // "`Content-Type` is described separately and SHALL be ignored in this section."
  headers.delete("content-type");
  return headers;
}

/** The text of a header that the document fixes. */
export function fixedHeader(
  rule: JsonObject,
  name: string,
  document: PartOwner["document"],
): string | undefined {
  const [, definition = {}] = definitionsIn(rule, document)
    .find(([key]) => key.toLowerCase() === name) ?? [];
  const value = fixedValue(definition);
  return value === undefined ? undefined : textOfHeader(value);
}

function definitionsIn(
  rule: JsonObject,
  { references }: PartOwner["document"],
): [name: string, definition: JsonObject][] {
  return entriesOf(rule["headers"]).flatMap(([name, node]): [string, JsonObject][] => {
    const definition = references.resolve(node)?.value;
    return definition === undefined ? [] : [[name, definition]];
  });
}

function fixedValue({ schema, content }: JsonObject): unknown {
  const described = entriesOf(content)[0]?.[1];
  const keywords = isObject(described) ? described["schema"] : schema;
  if (!isObject(keywords)) return undefined;
  const values = listOf(keywords["enum"]);
  return keywords["const"] ?? keywords["default"] ?? (values.length === 1 ? values[0] : undefined);
}

/** Style `simple`, the only one that headers have. */
function textOfHeader(value: unknown): string {
  return Array.isArray(value) ? value.map(toText).join(",") : toText(value);
}

function missingHeader(name: string, what: string): BowireError {
  return new BowireError(
    "invalid_argument",
    `cannot send ${what}: its part needs the header ${JSON.stringify(name)}`,
    { hint: `give it as {"base64": "…", "headers": {${JSON.stringify(name)}: "…"}}` },
  );
}
