/**
 * Values that travelled as text, or will: what is in a URL or a form has no types of its own.
 *
 * @module
 */
import { parseJson } from "../exact_json.ts";
import {
  entriesOf,
  isObject,
  joinedNodes,
  type JsonObject,
  listOf,
  memberOf,
  typeOf,
} from "../json_schema.ts";
import { isNumber, isWhole, numberText } from "../numbers.ts";

/** Most nodes that say something of one value. */
const MAX_NODES = 100;
/** Most values within each other. */
const MAX_DEPTH = 50;

/**
 * The value as the schemas want it, where that is a matter of spelling: `"7"` for an integer, 7
 * for a text, one value for a list of one and the other way round. The given value is not changed.
 *
 * @param resolve the goal of a `$ref`.
 */
export function coerce(
  value: unknown,
  schemas: readonly unknown[],
  resolve: (reference: unknown) => unknown,
): unknown {
  return mapValues(value, schemas, {
    resolve,
    map: (part, nodes) => nodes.reduce(reshape, part),
  });
}

/** How the parts of a value are mapped. */
export interface ValueMapping {
  /** The goal of a `$ref`. */
  resolve(reference: unknown): unknown;
  /** What stands for a part, of which these nodes speak; its own parts are mapped after it. */
  map(part: unknown, nodes: readonly JsonObject[]): unknown;
}

/** The value with each part of it mapped by the schemas that speak of it. */
export function mapValues(
  value: unknown,
  schemas: readonly unknown[],
  mapping: ValueMapping,
  depth = 0,
): unknown {
  const nodes = joinedNodes(schemas, ({ $ref }) => mapping.resolve($ref), MAX_NODES);
  if (depth > MAX_DEPTH || nodes.length === 0) return value;
  const shaped = mapping.map(value, nodes);
  if (Array.isArray(shaped)) {
    return shaped.map((item, index) => {
      const inner = nodes.map((node) => listOf(node["prefixItems"])[index] ?? node["items"]);
      return mapValues(item, inner, mapping, depth + 1);
    });
  }
  if (!isObject(shaped)) return shaped;
  return Object.fromEntries(
    entriesOf(shaped).map(([name, member]) => {
      const inner = nodes.map(({ properties, additionalProperties }) =>
        (isObject(properties) ? memberOf(properties, name) : undefined) ?? additionalProperties
      );
      return [name, mapValues(member, inner, mapping, depth + 1)];
    }),
  );
}

/** The value in a type that the node admits, if it can be had by spelling it otherwise. */
function reshape(value: unknown, node: JsonObject): unknown {
  const types = typesOf(node);
  if (types.size === 0 || isOf(types, value)) return value;
  if (Array.isArray(value)) {
    return value.length === 1 && !Array.isArray(value[0]) ? reshape(value[0], node) : value;
  }
  if (types.has("string") && isNumber(value)) return numberText(value);
  if (types.has("string") && typeof value === "boolean") return String(value);
  const meant = typeof value === "string" ? parseScalar(value) : value;
  if (isOf(types, meant)) return meant;
  return types.has("array") ? [value] : value;
}

/** The types that the node names, or those of the values that it lists. */
function typesOf(node: JsonObject): ReadonlySet<unknown> {
  const named = [node["type"]].flat().filter((type) => type !== undefined);
  const listed = "const" in node ? [node["const"]] : listOf(node["enum"]);
  return new Set(named.length > 0 ? named : listed.map(typeOf));
}

function isOf(types: ReadonlySet<unknown>, value: unknown): boolean {
  return types.has(typeOf(value)) || (types.has("integer") && isNumber(value) && isWhole(value));
}

/** The number, boolean or null that a text spells; else the text. */
function parseScalar(text: string): unknown {
  if (!/^(?:-?\d\S*|true|false|null)$/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
