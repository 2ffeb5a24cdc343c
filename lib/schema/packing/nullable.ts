/**
 * Null beside keywords that `type` cannot add it to.
 *
 * @module
 */
import { type JsonObject, LIST_KEYWORDS } from "../json_schema.ts";
import { isNullable } from "./types.ts";

/** Keywords that describe all forms of a value. */
const ANNOTATIONS = new Set(
  ["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"],
);
/** Keywords that may refuse null whatever `type` says. */
const CONDITIONS: readonly string[] = ["$ref", ...LIST_KEYWORDS, "not", "if"];

/**
 * The cleaned keywords of a node; one of two forms, the other of which is null, where the node
 * admits null and they may not.
 */
export function orNull(node: JsonObject, keywords: JsonObject): JsonObject {
  const { type } = keywords;
  const mayBeNull = isNullable(node) || (Array.isArray(type) && type.includes("null"));
  if (!mayBeNull || !CONDITIONS.some((name) => name in keywords)) return keywords;
  const [outer, inner] = [true, false].map((isOuter) =>
    Object.fromEntries(
      Object.entries(keywords).filter(([name]) => ANNOTATIONS.has(name) === isOuter),
    )
  );
  return { ...outer, anyOf: [inner, { type: "null" }] };
}
