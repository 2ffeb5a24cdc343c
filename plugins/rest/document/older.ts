/**
 * Parameters and answers as Swagger 2 writes them: parts of a document are not upgraded with it.
 *
 * @module
 */
import { type JsonObject, textOf } from "./json.ts";

/** A body or form parameter as a Request Body Object; `undefined` for any other parameter. */
export function toRequestBody(definition: JsonObject): JsonObject | undefined {
  const { name, required, description, schema } = definition;
  if (definition["in"] === "body") {
    return { description, required, content: { "application/json": { schema } } };
  }
  const field = textOf(name);
  if (definition["in"] !== "formData" || field === undefined) return undefined;
  const isFile = definition["type"] === "file";
  const properties = { [field]: isFile ? { type: "string", format: "binary" } : definition };
  return {
    content: {
      [isFile ? "multipart/form-data" : "application/x-www-form-urlencoded"]: {
        schema: { type: "object", properties, required: required === true ? [field] : [] },
      },
    },
  };
}

/** The schema that a parameter is itself, when it has a type and no `schema`. */
export function inlineSchema(definition: JsonObject): JsonObject | undefined {
  if (definition["type"] === undefined) return undefined;
  const { name: _name, in: _in, required: _required, description: _text, ...schema } = definition;
  return schema;
}
