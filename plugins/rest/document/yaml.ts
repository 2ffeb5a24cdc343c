/**
 * YAML 1.2 core schema, plus merge keys, which many API documents use.
 *
 * @module
 */
import { CORE_SCHEMA, defineScalarTag, intCoreTag, load, mergeTag } from "js-yaml";
import { parseJson } from "../../../lib/schema/exact_json.ts";

/** Most nodes of a document after its aliases are written out. */
const MAX_NODES = 5_000_000;

/** Whole numbers that a double cannot hold stay exact, as in JSON. */
const exactInt = defineScalarTag<unknown>(intCoreTag.tagName, {
  ...intCoreTag,
  resolve: (source, isExplicit, tagName) =>
    /^-?[1-9]\d{15,}$/.test(source)
      ? parseJson(source)
      : intCoreTag.resolve(source, isExplicit, tagName),
});
const SCHEMA = CORE_SCHEMA.withTags(mergeTag, exactInt);

/**
 * Parses one YAML document.
 *
 * @throws {Error} with line and column, or when aliases form a circle or a bomb.
 */
export function parseYaml(text: string): unknown {
  const value = load(text, { schema: SCHEMA });
  if (countNodes(value, new Map()) > MAX_NODES) {
    throw new RangeError(`its aliases form a circle or more than ${MAX_NODES} nodes`);
  }
  return value;
}

/** Nodes after all aliases are written out; infinite for a circle. */
function countNodes(value: unknown, counted: Map<object, number>): number {
  if (typeof value !== "object" || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  // Met again before its count is known, it is its own descendant.
  counted.set(value, Infinity);
  let count = 1;
  for (const member of Object.values(value)) count += countNodes(member, counted);
  counted.set(value, count);
  return count;
}
