/**
 * Reads of JSON data whose shape nobody vouches for.
 *
 * @module
 */
export {
  entriesOf,
  isObject,
  type JsonObject,
  listOf,
  textOf,
} from "../../../lib/schema/json_schema.ts";

/** Most levels of nesting; what people write stays below 50. */
const MAX_DEPTH = 500;

/**
 * Returns a value unless it would exhaust the stack of whoever walks through it.
 *
 * @throws {RangeError} when it is nested deeper than 500 levels.
 */
export function checkDepth(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) throw new RangeError(`it is nested deeper than ${MAX_DEPTH} levels`);
  for (const member of Object.values(value)) checkDepth(member, depth + 1);
  return value;
}
