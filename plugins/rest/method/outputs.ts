/**
 * What a method answers when it succeeds.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf } from "../document/json.ts";
import { mediaOf } from "./media.ts";
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
function successMedia({ operation }: MethodEntry, document: ApiDocument): OutputMedia[] {
  return entriesOf(operation["responses"])
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .sort(([a], [b]) => a < b ? -1 : 1)
    .flatMap(([, node]): OutputMedia[] => {
      const answer = document.references.resolve(node)?.value ?? {};
      // As Swagger 2 has it, in a part of a document.
      const isOlder = answer["content"] === undefined && answer["schema"] !== undefined;
      if (isOlder) return [{ type: "application/json", schema: answer["schema"] }];
      return mediaOf(answer, document);
    });
}

/** The first JSON answer of a success, as far as the document describes it. */
export function jsonOutput(entry: MethodEntry, document: ApiDocument): OutputMedia | undefined {
  return successMedia(entry, document).find(({ type, schema }) =>
    schema !== undefined && (type === "*/*" || isJsonMediaType(type))
  );
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
