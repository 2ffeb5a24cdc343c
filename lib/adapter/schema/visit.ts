/**
 * The schemas within a schema.
 *
 * @module
 */
import {
  isObject,
  type JsonObject,
  LIST_KEYWORDS,
  SCHEMA_KEYWORDS,
} from "../../schema/json_schema.ts";

/** How a keyword holds schemas. */
type Holds = "schema" | "list" | "map";

const HOLDS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ...SCHEMA_KEYWORDS.map((keyword) => [keyword, "schema"] as const),
  ...LIST_KEYWORDS.map((keyword) => [keyword, "list"] as const),
  ...["properties", "patternProperties", "dependentSchemas"].map((keyword) =>
    [keyword, "map"] as const
  ),
]);

/** Gives what is put in the place of a schema that stands under a keyword. */
type MapSchema = (schema: JsonObject, keyword: string) => JsonObject;

/**
 * A node with each schema directly within it replaced; definitions are left alone. It is the same
 * node when nothing was replaced by something else.
 */
export function mapSchemas(node: JsonObject, map: MapSchema): JsonObject {
  let changed: Record<string, unknown> | undefined;
  for (const [keyword, value] of Object.entries(node)) {
    const holds = HOLDS.get(keyword);
    if (holds === undefined || typeof value !== "object" || value === null) continue;
    const mapped = mapValue(value, holds, (schema) => map(schema, keyword));
    if (mapped !== value) (changed ??= { ...node })[keyword] = mapped;
  }
  return changed ?? node;
}

function mapValue(value: object, holds: Holds, map: (schema: JsonObject) => JsonObject): unknown {
  if (holds === "list") {
    if (!Array.isArray(value)) return value;
    const mapped = value.map((schema) => isObject(schema) ? map(schema) : schema);
    return mapped.every((schema, at) => schema === value[at]) ? value : mapped;
  }
  if (!isObject(value)) return value;
  return holds === "map" ? mapMembers(value, map) : map(value);
}

function mapMembers(
  schemas: JsonObject,
  map: (schema: JsonObject) => JsonObject,
): JsonObject {
  let isSame = true;
  const entries = Object.entries(schemas).map(([name, schema]): [string, unknown] => {
    const mapped = isObject(schema) ? map(schema) : schema;
    isSame &&= mapped === schema;
    return [name, mapped];
  });
  return isSame ? schemas : Object.fromEntries(entries);
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
