/**
 * The types of one schema node, and a node of several types as nodes of one.
 *
 * @module
 */
import { type JsonObject, listOf, typeOf } from "../../schema/json_schema.ts";
import { isNumber, isWhole } from "../../schema/numbers.ts";
import type { TypeName } from "./keywords.ts";

/** Keywords that speak of a value as a whole, whatever its type. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated"]);

/** True for a keyword that limits nothing. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

/** The types that a node names; none when it may be of any. A number may be whole. */
export function typesOf({ type }: JsonObject): TypeName[] {
  const names = (Array.isArray(type) ? type : [type]).filter(isTypeName);
  return names.includes("number") ? names.filter((name) => name !== "integer") : names;
}

function isTypeName(name: unknown): name is TypeName {
  return ["null", "boolean", "integer", "number", "string", "array", "object"].some((each) =>
    each === name
  );
}

/** The type of values that have both types, if any has. */
export function typeWithin(type: TypeName, context: TypeName | undefined): TypeName | undefined {
  if (context === undefined || context === type) return type;
  const areNumbers = [type, context].every((each) => each === "number" || each === "integer");
  return areNumbers ? "integer" : undefined;
}

/** A node of several types as one node each, and what is said of them all. */
export function splitNode(
  node: JsonObject,
  types: readonly TypeName[],
): { annotations: JsonObject; branches: JsonObject[] } {
  const entries = Object.entries(node);
  const annotations = Object.fromEntries(entries.filter(([keyword]) => isAnnotation(keyword)));
  const rest = Object.fromEntries(entries.filter(([keyword]) => !isAnnotation(keyword)));
  const branches = types.flatMap((type) => {
    const values = listOf(node["enum"]).filter((value) => isOf(type, value));
    if ("enum" in node && values.length === 0) return [];
    if ("const" in node && !isOf(type, node["const"])) return [];
    const { enum: _, ...others } = rest;
    // Of null there is one value.
    return [{ ...others, type, ...("enum" in node && type !== "null" ? { enum: values } : {}) }];
  });
  return { annotations, branches };
}

function isOf(type: TypeName, value: unknown): boolean {
  if (type === "integer") return isNumber(value) && isWhole(value);
  return typeOf(value) === type;
}
