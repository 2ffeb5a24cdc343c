/**
 * What a body is made by, and what it becomes.
 *
 * @module
 */
import type { ApiDocument } from "../document/api_document.ts";
import { type JsonObject, listOf } from "../document/json.ts";
import type { Shape } from "../../../lib/schema/shapes/shape.ts";

/** What a body, or a part of one, is made by. */
export interface BodyForm {
  /** The value of a `Content-Type` header, or a range such as `image/*`. */
  readonly contentType: string;
  readonly schema: unknown;
  /**
   * The Media Type or Encoding Object that has `encoding`, `prefixEncoding` and `itemEncoding`
   * (OpenAPI 3.2).
   */
  readonly rules: JsonObject;
  /** The argument that the value was given by, for messages. */
  readonly wholeName: string;
  /** What references within the schema and the rules lead to. */
  readonly document: Pick<ApiDocument, "shapes" | "references">;
  /** True when the value is bytes whatever it looks like. */
  isBinary(): boolean;
}

/** A body and the header that belongs to it. */
export interface EncodedBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** The value of the `Content-Type` header. */
  readonly contentType: string;
}

/** The schema of a list's item. */
export function schemaOfItem({ keywords, items }: Shape, index: number): unknown {
  return listOf(keywords["prefixItems"])[index] ?? items;
}
