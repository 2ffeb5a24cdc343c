/**
 * Proto type names for JSON Schema types.
 *
 * @module
 */
import { textOf } from "../json_schema.ts";
import { isBinary, isOnly, type Shape } from "../shapes/shape.ts";

/** The type of a field, its repetition aside. */
export interface Kind {
  readonly type: string;
  readonly isBinary: boolean;
  /** The object's shape when the type is a message with fields. */
  readonly nested?: Shape;
}

/** The kind of a shape. An integer is an `int32` unless it says `int64`, as in the .NET Bowire. */
export function kindOf(shape: Shape): Kind {
  const { types, keywords } = shape;
  const format = textOf(keywords["format"]);
  if (isBinary(shape)) return { type: "bytes", isBinary: true };
  if (isOnly(shape, "object") && shape.properties.size > 0) {
    return { type: "message", isBinary: false, nested: shape };
  }
  if (types.size === 0 || types.has("object") || types.has("array")) {
    return { type: "message", isBinary: false };
  }
  if (types.has("string")) {
    const isBase64 = keywords["contentEncoding"] === "base64" || format === "byte";
    return { type: isBase64 ? "bytes" : "string", isBinary: false };
  }
  if (isOnly(shape, "boolean")) return { type: "bool", isBinary: false };
  if (isOnly(shape, "integer")) {
    return { type: format === "int64" ? "int64" : "int32", isBinary: false };
  }
  if (types.has("boolean")) return { type: "message", isBinary: false };
  return { type: format === "float" ? "float" : "double", isBinary: false };
}
