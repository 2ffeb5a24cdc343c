/**
 * References within one schema that stands alone.
 *
 * @module
 */
import { pointerTokens, resolvePointer } from "../json_pointer.ts";
import { type FollowReference, isObject, type JsonObject, textOf } from "../json_schema.ts";

/** Longest chain of references that is followed. */
const MAX_HOPS = 32;

/**
 * Follows references to places within `root`, and gives nodes without one back as they are. Those
 * to other documents lead nowhere: nothing is ever fetched.
 */
export function localReferences(root: unknown): FollowReference {
  return (node) => {
    let goal = node;
    let siblings: JsonObject = {};
    let name: string | undefined;
    for (let hop = 0; hop < MAX_HOPS && isObject(goal); hop++) {
      const reference = textOf(goal["$ref"]);
      if (reference === undefined) {
        const value = Object.keys(siblings).length === 0 ? goal : { ...goal, ...siblings };
        return { value, identity: goal, name };
      }
      const { $ref: _$ref, ...others } = goal;
      siblings = { ...others, ...siblings };
      name = pointerTokens(reference).at(-1);
      goal = resolvePointer(root, reference);
    }
    return undefined;
  };
}
