/**
 * Definitions that lead to themselves without going a level deeper: a value held against such a one
 * would be held against it for ever. Parents that list their children, each of which has all that
 * its parent has, are often written so.
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject, listOf } from "../../../schema/json_schema.ts";
import { type Definitions, referenceOf } from "../visit.ts";

/** Keywords whose schemas speak of the same value. */
const LISTS = ["allOf", "anyOf", "oneOf"] as const;
const BRANCHES = ["then", "else"] as const;
const OF_SAME_VALUE: ReadonlySet<string> = new Set([
  "$ref",
  "not",
  "if",
  "dependentSchemas",
  ...LISTS,
  ...BRANCHES,
]);

/** The definitions without loops: where one would close, what its goal says by itself stands. */
export function cutLoops(definitions: Definitions): Definitions {
  return new LoopCutter(definitions).cut();
}

/** Names of the definitions that speak of the same value as a schema. */
export function referencesOfSameValue(schema: JsonObject): string[] {
  const name = referenceOf(schema);
  const inner = [
    ...LISTS.flatMap((keyword) => listOf(schema[keyword])),
    ...entriesOf(schema["dependentSchemas"]).map(([, dependent]) => dependent),
    ...["not", "if", ...BRANCHES].map((keyword) => schema[keyword]),
  ].filter(isObject);
  return [...name === undefined ? [] : [name], ...inner.flatMap(referencesOfSameValue)];
}

class LoopCutter {
  readonly #definitions: Definitions;
  readonly #done = new Map<string, JsonObject>();
  /** Definitions that are being looked through. */
  readonly #open = new Set<string>();
  #cuts = 0;

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  cut(): Definitions {
    for (const name of this.#definitions.keys()) this.#visit(name);
    return this.#done;
  }

  #visit(name: string): void {
    const definition = this.#definitions.get(name);
    if (definition === undefined || this.#done.has(name)) return;
    this.#open.add(name);
    this.#done.set(name, this.#walk(definition));
    this.#open.delete(name);
  }

  #walk(node: JsonObject): JsonObject {
    const walked = new Map<string, unknown>();
    for (const keyword of LISTS) {
      if (!(keyword in node)) continue;
      const forms = listOf(node[keyword]).map((form) => isObject(form) ? this.#walk(form) : form);
      walked.set(keyword, forms);
    }
    for (const keyword of BRANCHES) {
      const branch = node[keyword];
      if (isObject(branch)) walked.set(keyword, this.#walk(branch));
    }
    if (isObject(node["dependentSchemas"])) {
      const schemas = entriesOf(node["dependentSchemas"])
        .map(([name, schema]) => [name, isObject(schema) ? this.#walk(schema) : schema]);
      walked.set("dependentSchemas", Object.fromEntries(schemas));
    }
    const { $ref, not, if: condition, ...rest } = { ...node, ...Object.fromEntries(walked) };
    return this.#follow($ref, {
      ...rest,
      ...this.#keepWhole("not", not),
      ...this.#keepWhole("if", condition),
    });
  }

  /** A schema that stands for its contrary is kept as it is, or not at all. */
  #keepWhole(keyword: string, schema: unknown): JsonObject {
    if (!isObject(schema)) return {};
    const cuts = this.#cuts;
    const walked = this.#walk(schema);
    return cuts === this.#cuts ? { [keyword]: walked } : {};
  }

  #follow($ref: unknown, beside: JsonObject): JsonObject {
    const name = referenceOf({ $ref });
    if (name === undefined) return beside;
    if (!this.#open.has(name)) {
      this.#visit(name);
      return { $ref, ...beside };
    }
    this.#cuts++;
    const goal = Object.entries(this.#definitions.get(name) ?? {})
      .filter(([keyword]) => !OF_SAME_VALUE.has(keyword));
    if (goal.length === 0) return beside;
    return { ...beside, allOf: [...listOf(beside["allOf"]), Object.fromEntries(goal)] };
  }
}
