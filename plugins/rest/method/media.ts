/**
 * The media types of a body or parameter.
 *
 * @module
 */
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject, type JsonObject } from "../document/json.ts";

/** One form that a body or a parameter may have. */
export interface Media {
  /** Lower case, without parameters; may be a range such as `image/*`. */
  readonly type: string;
  readonly schema: unknown;
  /** The Encoding Objects by property name. */
  readonly encoding: JsonObject;
}

/** The `content` of a parameter or body. */
export function mediaOf({ content }: JsonObject, { references }: ApiDocument): Media[] {
  return entriesOf(content).flatMap(([key, node]) => {
    const found = references.resolve(node)?.value;
    if (found === undefined) return [];
    const { schema, encoding } = found;
    return [{ type: bareMediaType(key), schema, encoding: isObject(encoding) ? encoding : {} }];
  });
}

/** A media type in lower case and without parameters. */
export function bareMediaType(contentType: string): string {
  return contentType.replace(/;.*$/s, "").trim().toLowerCase();
}
