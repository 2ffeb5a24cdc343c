/**
 * Definitions of a schema: only those that are worth it, under short names.
 *
 * @module
 */
import type { JsonObject } from "../../schema/json_schema.ts";
import { DefinitionNames } from "../../schema/packing/names.ts";
import type { TypeName } from "./keywords.ts";
import { isAnnotation, typesOf, typeWithin } from "./types.ts";
import { type Definitions, eachSchema, mapSchemas, referenceOf, referTo } from "./visit.ts";

/** Keywords whose schemas speak of the same value. */
const OF_SAME_VALUE = new Set(
  ["allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"],
);

/** Longest name of a definition. */
const MAX_NAME_LENGTH = 30;

/**
 * The schema with the definitions that it leads to in its `$defs`. One that is used once, or is
 * shorter than the references to it, stands where it is used; one that recurs never does.
 */
export function withDefinitions(root: JsonObject, definitions: Definitions): JsonObject {
  const uses = countUses(root, definitions);
  const inlined = new Map<string, JsonObject>();
  const names = new Map<string, string>();
  const taken = new DefinitionNames();
  const kept = new Map<string, JsonObject>();
  const place = (node: JsonObject, context?: TypeName): JsonObject => {
    const name = referenceOf(node);
    const definition = name === undefined ? undefined : definitions.get(name);
    if (name === undefined) return placeWithin(node, context);
    const { $ref: _, ...beside } = node;
    if (definition === undefined) return placeWithin(beside, context);
    const whole = isPlaced(name) && Object.keys(beside).every(isAnnotation);
    if (whole && mayBeOf(context, definition)) return { ...inline(name, definition), ...beside };
    return { ...referTo(keep(name, definition)), ...placeWithin(beside, context) };
  };
  const placeWithin = (node: JsonObject, context: TypeName | undefined) => {
    const [type = context] = typesOf(node);
    return mapSchemas(
      node,
      (schema, keyword) => place(schema, OF_SAME_VALUE.has(keyword) ? type : undefined),
    );
  };
  const isPlaced = (name: string) => {
    const use = uses.get(name);
    return use !== undefined && !use.isRecursive && (use.count === 1 || use.isShort);
  };
  const inline = (name: string, definition: JsonObject) => {
    const placed = inlined.get(name) ?? place(definition);
    inlined.set(name, placed);
    return placed;
  };
  const keep = (name: string, definition: JsonObject): string => {
    const known = names.get(name);
    if (known !== undefined) return known;
    const short = taken.take(shortName(name));
    names.set(name, short);
    kept.set(short, {}); // holds its place in the order
    kept.set(short, place(definition));
    return short;
  };
  const placed = place(root);
  return kept.size === 0 ? placed : { ...placed, $defs: Object.fromEntries(kept) };
}

/**
 * True when a schema may stand where the type of the value is given: strict readers refuse another
 * type there, which documents ask for all the same. Forms of a value have types of their own.
 */
function mayBeOf(context: TypeName | undefined, schema: JsonObject): boolean {
  if (context === undefined) return true;
  const types = typesOf(schema);
  const isOne = types.every((type) => typeWithin(type, context) !== undefined);
  return isOne && !Object.keys(schema).some((keyword) => OF_SAME_VALUE.has(keyword));
}

/** The last part of a name with dots, cut. */
function shortName(name: string): string {
  return (name.split(".").at(-1) || name).slice(0, MAX_NAME_LENGTH);
}

/** How a definition is used. */
interface Use {
  count: number;
  /** True when it leads to itself. */
  readonly isRecursive: boolean;
  /** True when the references to it and its own text are longer than its text in all places. */
  isShort: boolean;
}

function countUses(root: JsonObject, definitions: Definitions): ReadonlyMap<string, Use> {
  const counts = new Map<string, number>();
  const goals = new Map<string, ReadonlySet<string>>();
  const read = (node: JsonObject): ReadonlySet<string> => {
    const names = referencesIn(node);
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return new Set(names);
  };
  const waiting = [...read(root)];
  for (const name of waiting) {
    const definition = definitions.get(name);
    if (definition === undefined || goals.has(name)) continue;
    const found = read(definition);
    goals.set(name, found);
    waiting.push(...found);
  }
  return new Map([...goals.keys()].map((name) => {
    const count = counts.get(name) ?? 0;
    const length = JSON.stringify(definitions.get(name) ?? {}).length;
    const reference = JSON.stringify(referTo(shortName(name))).length;
    const asDefinition = count * reference + length + shortName(name).length + 4;
    const isShort = count * length <= asDefinition;
    return [name, { count, isShort, isRecursive: leadsTo(name, name, goals) }];
  }));
}

function referencesIn(schema: JsonObject): string[] {
  const names: string[] = [];
  eachSchema(schema, (node) => {
    const name = referenceOf(node);
    if (name !== undefined) names.push(name);
  });
  return names;
}

function leadsTo(
  from: string,
  to: string,
  goals: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const seen = new Set(goals.get(from));
  for (const name of seen) {
    for (const next of goals.get(name) ?? []) seen.add(next);
  }
  return seen.has(to);
}
