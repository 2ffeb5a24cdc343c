/**
 * The schemas within a schema.
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  type JsonObject,
  LIST_KEYWORDS,
  listOf,
  SCHEMA_KEYWORDS,
} from "../../schema/json_schema.ts";

/** Keywords whose value is schemas by name. */
const MAP_KEYWORDS = ["properties", "patternProperties", "dependentSchemas"] as const;

/** A copy of a node with each schema directly within it replaced; definitions are left alone. */
export function mapSchemas(node: JsonObject, map: (schema: JsonObject) => JsonObject): JsonObject {
  const apply = (schema: unknown) => isObject(schema) ? map(schema) : schema;
  const changed = new Map<string, unknown>();
  for (const keyword of SCHEMA_KEYWORDS) {
    if (isObject(node[keyword])) changed.set(keyword, apply(node[keyword]));
  }
  for (const keyword of LIST_KEYWORDS) {
    if (Array.isArray(node[keyword])) changed.set(keyword, listOf(node[keyword]).map(apply));
  }
  for (const keyword of MAP_KEYWORDS) {
    const entries = entriesOf(node[keyword]).map(([name, schema]) => [name, apply(schema)]);
    if (isObject(node[keyword])) changed.set(keyword, Object.fromEntries(entries));
  }
  return { ...node, ...Object.fromEntries(changed) };
}

/** Calls `visit` for the node and every schema within it, definitions left out. */
export function eachSchema(node: JsonObject, visit: (schema: JsonObject) => void): void {
  visit(node);
  mapSchemas(node, (schema) => {
    eachSchema(schema, visit);
    return schema;
  });
}

/** Definitions by name. */
export type Definitions = ReadonlyMap<string, JsonObject>;

const PREFIX = "#/$defs/";

/** The name of the definition that a node refers to, if it does. */
export function referenceOf({ $ref }: JsonObject): string | undefined {
  return typeof $ref === "string" && $ref.startsWith(PREFIX)
    ? $ref.slice(PREFIX.length)
    : undefined;
}

/** A reference to a definition. */
export function referTo(name: string): JsonObject {
  return { $ref: `${PREFIX}${name}` };
}
