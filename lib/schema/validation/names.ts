/**
 * The properties that exist, for someone who named one that does not.
 *
 * @module
 */
import { entriesOf, isObject, joinedNodes, type JsonObject } from "../json_schema.ts";
import { editDistance } from "../spelling/edit_distance.ts";
import { listText } from "./violations.ts";
import { type Finding, found } from "./findings.ts";
import type { Checker } from "./visit.ts";

/** True for a schema that no value satisfies. */
export function isRefusal(schema: unknown): boolean {
  if (schema === false) return true;
  const inner = isObject(schema) ? schema["not"] : undefined;
  return inner === true || (isObject(inner) && Object.keys(inner).length === 0);
}

/** A property that is refused, whatever its value. */
export function refusedName(
  name: string,
  { schema, by, checker }: { schema: JsonObject; by: unknown; checker: Checker },
): Finding {
  if (isObject(by) && by["readOnly"] === true) {
    return found("readOnly", "is read-only; leave it out");
  }
  if (isObject(by) && by["writeOnly"] === true) {
    return found("writeOnly", "is write-only; leave it out");
  }
  const names = nearestFirst(name, [...namesOf(schema, checker)]);
  const list = names.length === 0 ? "there are none" : `there are: ${listText(names)}`;
  return found("properties", `is not a property that exists here; ${list}`);
}

/** Most schema nodes in which names are looked for. */
const MAX_NODES = 200;

/** The properties that a node and those it joins speak of, in the order of the schema. */
function namesOf(schema: JsonObject, { resolve }: Checker): Set<string> {
  const names = new Set<string>();
  for (const node of joinedNodes([schema], ({ $ref }) => resolve($ref), MAX_NODES)) {
    for (const [name, property] of entriesOf(node["properties"])) {
      if (!isRefusal(property)) names.add(name);
    }
  }
  return names;
}

/** The names that are spelt most like the given one before the others. */
function nearestFirst(name: string, names: readonly string[]): string[] {
  return names
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}
