/**
 * The media types of a body or parameter.
 *
 * @module
 */
import { parseContentType } from "../body/media_type.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, type JsonObject } from "../document/json.ts";

/** One form that a body or a parameter may have. */
export interface Media {
  /** Lower case, without parameters; may be a range such as `image/*`. */
  readonly type: string;
  /** As the document writes it, with parameters such as `charset`. */
  readonly written: string;
  readonly schema: unknown;
  /** The Media Type Object, for how parts and fields are encoded. */
  readonly rules: JsonObject;
}

/** The `content` of a parameter or body. */
export function mediaOf({ content }: JsonObject, { references }: ApiDocument): Media[] {
  return entriesOf(content).flatMap(([key, node]) => {
    const found = references.resolve(node)?.value;
    if (found === undefined) return [];
    const { schema, itemSchema } = found;
    // Items of a sequence make up a list (OpenAPI 3.2, "Sequential Media Types").
    const list = itemSchema === undefined ? undefined : { type: "array", items: itemSchema };
    return [{
      type: parseContentType(key).type,
      written: key.trim(),
      schema: schema ?? list,
      rules: found,
    }];
  });
}
