/**
 * JSON Schemas of tools, as small and as plain as clients want them.
 *
 * @module
 */
import * as z from "zod";
import type { ObjectSchema } from "../mcp/mod.ts";

/** The JSON Schema (2020-12) of what a tool takes or returns. */
export function toSchema(schema: z.ZodObject, io: "input" | "output"): ObjectSchema {
  const text = JSON.stringify(z.toJSONSchema(schema, { io }));
  return JSON.parse(text, simplify) as ObjectSchema; // the schema of an object is an object's
}

/** Leaves out of a JSON Schema what costs the reader and says nothing, or what some clients refuse. */
function simplify(keyword: string, value: unknown): unknown {
  // 2020-12 is MCP's default: naming it would only make older validators refuse it.
  if (keyword === "$schema" || keyword === "propertyNames") return undefined;
  if (value === Number.MIN_SAFE_INTEGER || value === Number.MAX_SAFE_INTEGER) return undefined;
  if (value === null || typeof value !== "object") return value;
  if (keyword === "additionalProperties" && Object.keys(value).length === 0) return undefined;
  if (!("type" in value) || !Array.isArray(value.type)) return value;
  // Some model APIs know one type a schema only.
  const { type, ...rest } = value;
  return { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) };
}
