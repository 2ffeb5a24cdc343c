/**
 * Members that exclude each other, as a sentence: a `not` around `required` is refused by many
 * clients, and read wrongly by models.
 *
 * @module
 */
import { isObject, type JsonObject, listOf } from "../../schema/json_schema.ts";

/** Most names in a sentence. */
const MAX_NAMES = 30;

/** What a `not` forbids, when it forbids that members are there together. */
export function choiceText(not: unknown): string | undefined {
  const sets = forbiddenSets(not);
  if (sets === undefined) return undefined;
  return groupsOf(sets)
    .map((names) => `At most one of: ${[...names].slice(0, MAX_NAMES).join(", ")}.`)
    .join(" ");
}

/** Names that must not be there together; `undefined` when the schema says something else. */
function forbiddenSets(schema: unknown): (readonly string[])[] | undefined {
  if (!isObject(schema)) return undefined;
  const keywords = Object.keys(schema).sort().join();
  if (keywords === "required") {
    const names = namesOf(schema);
    return names.length === 2 ? [names] : undefined;
  }
  if (keywords === "anyOf") {
    const sets = listOf(schema["anyOf"]).map(forbiddenSets);
    return sets.some((set) => set === undefined) ? undefined : sets.flatMap((set) => set ?? []);
  }
  // More than one of many: any is there, and not exactly one.
  if (keywords === "anyOf,not") return manyOf(schema);
  return undefined;
}

function manyOf({ anyOf, not }: JsonObject): (readonly string[])[] | undefined {
  if (!isObject(not) || Object.keys(not).join() !== "oneOf") return undefined;
  const singles = [listOf(anyOf), listOf(not["oneOf"])].map((list) =>
    list.map((each) => isObject(each) ? namesOf(each) : [])
  );
  const [some = [], one = []] = singles;
  const isSame = some.every((names) => names.length === 1) && some.join() === one.join();
  return isSame ? [some.flat()] : undefined;
}

function namesOf({ required }: JsonObject): string[] {
  return listOf(required).filter((name) => typeof name === "string");
}

/** Sets that have names in common, put together. */
function groupsOf(sets: readonly (readonly string[])[]): Set<string>[] {
  const groups: Set<string>[] = [];
  for (const set of sets) {
    const own = new Set(set);
    const [touching, apart] = [true, false].map((wanted) =>
      groups.filter((group) => !group.isDisjointFrom(own) === wanted)
    );
    const joined = (touching ?? []).reduce((all, group) => all.union(group), new Set<string>());
    groups.splice(0, groups.length, ...apart ?? [], joined.union(own));
  }
  return groups;
}
