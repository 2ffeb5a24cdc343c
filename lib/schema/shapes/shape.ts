/**
 * What a schema says of a value when its composition is worked out.
 *
 * @module
 */
import type { Alternative } from "../../model/mod.ts";
import { isObject, type JsonObject, listOf, textOf } from "../json_schema.ts";
import type { JsonType } from "./types.ts";

/** What a schema says of a value, without composition. */
export interface Shape {
  /** The same object for every use of one schema. */
  readonly identity: object;
  /** The component's name, when the schema is one. */
  readonly name: string | undefined;
  /** Empty when any value will do. */
  readonly types: ReadonlySet<JsonType>;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** `additionalProperties` as written: absent, a boolean or a schema. */
  readonly additional: unknown;
  readonly items: unknown;
  /** True when `null` is a value of its own. */
  readonly isNullable: boolean;
  /** The forms that an object may take, when there are several; their properties are all above. */
  readonly alternatives: readonly Alternative[];
  /** The other keywords: `format`, `enum`, `description` … */
  readonly keywords: JsonObject;
}

/** True for a value that is bytes, given as base64. */
export function isBinary({ types, keywords }: Shape): boolean {
  if (types.size > 1 || (types.size === 1 && !types.has("string"))) return false;
  if (keywords["format"] === "binary") return true;
  const mediaType = textOf(keywords["contentMediaType"]);
  return mediaType !== undefined && keywords["contentEncoding"] === undefined &&
    !/^text\/|[/+](json|xml)$/.test(mediaType);
}

/** True when a shape has this type and no other. */
export function isOnly({ types }: Shape, type: JsonType): boolean {
  return types.size === 1 && types.has(type);
}

/** True for the schema of `null` alone. */
export function isNull(schema: unknown): boolean {
  return isObject(schema) && schema["type"] === "null";
}

/** The values that a schema lists. */
export function valuesOf(keywords: JsonObject): readonly unknown[] {
  return "const" in keywords ? [keywords["const"]] : listOf(keywords["enum"]);
}

/** True for a schema that takes `null`, whatever else it takes. */
export function allowsNull(schema: JsonObject): boolean {
  return schema["nullable"] === true || listOf(schema["type"]).includes("null") ||
    [schema["oneOf"], schema["anyOf"]].some((list) => listOf(list).some(isNull)) ||
    valuesOf(schema).includes(null);
}
