/**
 * What a method answers when it succeeds.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject } from "../document/json.ts";
import { bareMediaType } from "./media.ts";
import type { MethodEntry } from "./methods.ts";

const ANYTHING = "application/json, */*;q=0.8";

/** One form that an answer may have. */
export interface OutputMedia {
  /** Lower case, without parameters. */
  readonly type: string;
  /** `undefined` when the document has none. */
  readonly schema: unknown;
}

/** The media types of the answers of success, those of the lowest status first. */
export function successMedia(
  { operation }: MethodEntry,
  { references }: ApiDocument,
): OutputMedia[] {
  return entriesOf(operation["responses"])
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .sort(([a], [b]) => a < b ? -1 : 1)
    .flatMap(([, node]) => {
      const { content, schema } = references.resolve(node)?.value ?? {};
      // As Swagger 2 has it, in a part of a document.
      const isOlder = content === undefined && schema !== undefined;
      return isOlder ? [["application/json", { schema }] as const] : entriesOf(content);
    })
    .map(([type, node]) => ({
      type: bareMediaType(type),
      schema: isObject(node) ? node["schema"] ?? listed(node["itemSchema"]) : undefined,
    }));
}

/**
 * What a call of a method accepts: the JSON types of its success, as some servers send something
 * else to whoever takes anything; else what the document names, and anything.
 */
export function acceptOf(entry: MethodEntry, document: ApiDocument): string {
  const types = [...new Set(successMedia(entry, document).map(({ type }) => type))]
    .filter((type) => /^[\w.+*-]+\/[\w.+*-]+$/.test(type));
  const json = types.filter(isJsonMediaType);
  if (json.length > 0) return json.join(", ");
  const named = types.filter((type) => type !== "*/*");
  return named.length > 0 ? [...named, "*/*;q=0.8"].join(", ") : ANYTHING;
}

/** A stream of items as a list (OpenAPI 3.2, `itemSchema`). */
function listed(itemSchema: unknown): unknown {
  return itemSchema === undefined ? undefined : { type: "array", items: itemSchema };
}
