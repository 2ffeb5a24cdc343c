/**
 * The schemas within one schema node, under the keywords that 2020-12 has for them. The schemas
 * themselves are still those of the document.
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  isSchema,
  type JsonObject,
  LIST_KEYWORDS,
  listOf,
  SCHEMA_KEYWORDS,
} from "../json_schema.ts";
import { cleanPattern } from "../patterns.ts";

/** A schema as the document has it. */
export type ForeignSchema = JsonObject | boolean;

/** What is within a node, by keyword. */
export interface Children {
  readonly single: ReadonlyMap<string, ForeignSchema>;
  readonly lists: ReadonlyMap<string, readonly ForeignSchema[]>;
  readonly maps: ReadonlyMap<string, ReadonlyMap<string, ForeignSchema>>;
}

/** Keywords whose schemas speak of the same value. */
const FORMS = ["allOf", "anyOf", "oneOf"];
/** Keywords that may refuse properties which a pattern that was dropped would have admitted. */
const CLOSING_KEYWORDS = ["additionalProperties", "unevaluatedProperties"];

/** The schemas within a node. @param keywords what was cleaned of the node already. */
export function childrenOf(node: JsonObject, keywords: JsonObject): Children {
  const { type, $ref } = keywords;
  const single = new Map<string, ForeignSchema>();
  const lists = new Map<string, readonly ForeignSchema[]>();
  const maps = new Map<string, ReadonlyMap<string, ForeignSchema>>();
  const isOldTuple = Array.isArray(node["items"]); // before 2020-12
  for (const name of SCHEMA_KEYWORDS) {
    const schema = node[isOldTuple && name === "items" ? "additionalItems" : name];
    if (isSchema(schema)) single.set(name, schema);
  }
  if (!single.has("if")) { for (const name of ["then", "else"]) single.delete(name); }
  for (const name of LIST_KEYWORDS) {
    const list = listOf(node[name]).filter(isSchema);
    if (list.length > 0 && name !== "prefixItems") lists.set(name, list);
  }
  const tuple = [...listOf(isOldTuple ? node["items"] : node["prefixItems"])];
  if (tuple.length > 0) lists.set("prefixItems", tuple.map(orAny));
  const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
  if (isList && tuple.length === 0 && !single.has("items")) single.set("items", true);

  const properties = entriesOf(node["properties"]);
  maps.set("properties", new Map(properties.map(([name, schema]) => [name, orAny(schema)])));
  maps.set("dependentSchemas", dependentSchemasOf(node));
  const patterns = new Map<string, ForeignSchema>();
  for (const [source, schema] of entriesOf(node["patternProperties"])) {
    const pattern = cleanPattern(source);
    if (pattern !== undefined) patterns.set(pattern, orAny(schema));
    else for (const name of CLOSING_KEYWORDS) single.delete(name);
  }
  maps.set("patternProperties", patterns);
  if ($ref !== undefined || FORMS.some((name) => lists.has(name))) closeTogether(single);
  if (isObject(node["discriminator"]) && !lists.has("anyOf")) {
    // A property tells the forms from each other, which may well overlap otherwise.
    const forms = lists.get("oneOf");
    if (forms !== undefined) lists.set("anyOf", forms);
    lists.delete("oneOf");
  }
  return { single, lists, maps };
}

/**
 * Beside a reference or several forms, `additionalProperties: false` would refuse their properties;
 * who writes that knows no `unevaluatedProperties`.
 */
function closeTogether(single: Map<string, ForeignSchema>): void {
  if (single.get("additionalProperties") !== false) return;
  single.delete("additionalProperties");
  single.set("unevaluatedProperties", false);
}

/** What is no schema limits nothing, and holds the place of one. */
function orAny(schema: unknown): ForeignSchema {
  return isSchema(schema) ? schema : true;
}

/** Draft 7 has them among `dependencies`. */
function dependentSchemasOf(node: JsonObject): Map<string, ForeignSchema> {
  const all = [...entriesOf(node["dependencies"]), ...entriesOf(node["dependentSchemas"])];
  return new Map(all.flatMap(([name, schema]) => isObject(schema) ? [[name, schema]] : []));
}
