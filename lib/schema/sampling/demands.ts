/**
 * All that is demanded of one value: the nodes that speak of it together, and the forms among
 * which it must choose.
 *
 * @module
 */
import {
  entriesOf,
  isObject,
  isSchema,
  type JsonObject,
  listOf,
  memberOf,
} from "../json_schema.ts";
import { compareNumbers, isNumber, type JsonNumber } from "../numbers.ts";
import { compilePattern } from "../patterns.ts";

/** What is demanded of one value. */
export interface Demands {
  /** Nodes without `$ref` and `allOf`; all of them hold. */
  readonly nodes: readonly JsonObject[];
  /** Of each list, one schema must hold. */
  readonly choices: readonly (readonly unknown[])[];
  /** Goals of references that were followed. */
  readonly goals: ReadonlySet<unknown>;
}

/** Most nodes that are put together for one value. */
const MAX_NODES = 200;

/** Follows references and `allOf`; `undefined` when one of the schemas refuses everything. */
export function demandsOf(
  schemas: readonly unknown[],
  resolve: (reference: unknown) => unknown,
): Demands | undefined {
  const nodes = new Set<unknown>(schemas);
  const goals = new Set<unknown>();
  const choices: (readonly unknown[])[] = [];
  for (const node of nodes) {
    if (node === false) return undefined;
    if (!isObject(node) || nodes.size > MAX_NODES) continue;
    const goal = resolve(node["$ref"]);
    if (goal !== undefined) goals.add(goal);
    nodes.add(goal);
    for (const part of listOf(node["allOf"])) nodes.add(part);
    for (const keyword of ["anyOf", "oneOf"]) {
      if (listOf(node[keyword]).length > 0) choices.push(listOf(node[keyword]));
    }
    if (isSchema(node["if"])) choices.push(conditionsOf(node));
  }
  return { nodes: [...nodes].filter(isObject), choices, goals };
}

/** `if` is a choice: to meet it and `then`, or not to and to meet `else`. */
function conditionsOf({ if: condition, then = true, else: otherwise = true }: JsonObject) {
  return [{ allOf: [{ not: condition }, otherwise] }, { allOf: [condition, then] }];
}

/** The values of a keyword, in the order of the nodes. */
export function valuesOf(nodes: readonly JsonObject[], keyword: string): unknown[] {
  return nodes.map((node) => node[keyword]).filter((value) => value !== undefined);
}

/** The highest value of a keyword that is a number. */
export function highest(nodes: readonly JsonObject[], keyword: string): JsonNumber | undefined {
  return valuesOf(nodes, keyword).filter(isNumber).sort(compareNumbers).at(-1);
}

/** The lowest value of a keyword that is a number. */
export function lowest(nodes: readonly JsonObject[], keyword: string): JsonNumber | undefined {
  return valuesOf(nodes, keyword).filter(isNumber).sort(compareNumbers)[0];
}

/** The greatest count that a keyword demands. */
export function leastCount(nodes: readonly JsonObject[], keyword: string): number {
  return Number(highest(nodes, keyword) ?? 0);
}

/** The smallest count that a keyword allows. */
export function mostCount(nodes: readonly JsonObject[], keyword: string): number {
  return Number(lowest(nodes, keyword) ?? Infinity);
}

/** The types that all nodes admit, in the order of the first; `undefined` for any. */
export function typesOf(nodes: readonly JsonObject[]): string[] | undefined {
  const lists = valuesOf(nodes, "type").map((type) => [type].flat());
  const [first, ...others] = lists;
  return first?.flatMap((type) => others.reduce<unknown[]>(narrow, [type]))
    .filter((type) => typeof type === "string");
}

function narrow(types: readonly unknown[], others: readonly unknown[]): unknown[] {
  return types.flatMap((type) => {
    if (others.includes(type) || (type === "integer" && others.includes("number"))) return [type];
    return type === "number" && others.includes("integer") ? ["integer"] : [];
  });
}

/** The names of `required`, and of what they bring with them. */
export function requiredNames(nodes: readonly JsonObject[]): Set<string> {
  const names = new Set(valuesOf(nodes, "required").flatMap(listOf).map(String));
  for (const name of names) {
    for (const node of nodes) {
      const dependent = node["dependentRequired"];
      const more = isObject(dependent) ? listOf(memberOf(dependent, name)) : [];
      for (const other of more) names.add(String(other));
    }
  }
  return names;
}

/** The schemas that a member with a name must satisfy. */
export function memberSchemas(nodes: readonly JsonObject[], name: string): unknown[] {
  return nodes.flatMap((node) => {
    const properties = node["properties"];
    const own = isObject(properties) ? memberOf(properties, name) : undefined;
    const patterned = entriesOf(node["patternProperties"])
      .filter(([pattern]) => compilePattern(pattern)?.test(name) === true)
      .map(([, schema]) => schema);
    const found = own === undefined ? patterned : [own, ...patterned];
    return found.length > 0 ? found : [node["additionalProperties"] ?? true];
  });
}

/** The schemas that the item at an index must satisfy. */
export function itemSchemas(nodes: readonly JsonObject[], index: number): unknown[] {
  return nodes.map((node) => listOf(node["prefixItems"])[index] ?? node["items"] ?? true);
}

/** Examples, defaults and the values that are listed; `variant` is where they start. */
export function writtenValues(nodes: readonly JsonObject[], variant: number): unknown[] {
  const values = [
    ...valuesOf(nodes, "examples").flatMap(listOf),
    ...valuesOf(nodes, "default"),
    ...valuesOf(nodes, "const"),
    ...valuesOf(nodes, "enum").flatMap(listOf),
  ];
  const first = values.length === 0 ? 0 : variant % values.length;
  return [...values.slice(first), ...values.slice(0, first)];
}

/** Types that keywords stand for where none is named. */
const TYPES_OF_KEYWORDS = [
  ["object", /^(?:properties|required|additionalProperties|patternProperties|minProperties)$/],
  ["array", /^(?:items|prefixItems|contains|minItems|uniqueItems)$/],
  ["number", /^(?:multipleOf|m..imum|exclusiveM..imum)$/],
] as const;

/** The type that keywords are about where none is named. */
export function impliedType(nodes: readonly JsonObject[]): string {
  const keywords = nodes.flatMap((node) => Object.keys(node));
  const implied = TYPES_OF_KEYWORDS.find(([, pattern]) =>
    keywords.some((keyword) => pattern.test(keyword))
  );
  return implied?.[0] ?? "string";
}

/** True for a node whose members are named by who writes them. */
export function isOpen(node: JsonObject): boolean {
  return "patternProperties" in node ||
    (node["additionalProperties"] !== undefined && node["additionalProperties"] !== false);
}
