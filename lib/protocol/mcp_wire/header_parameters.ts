/**
 * Which arguments of a tool are told in header fields (MCP 2026-07-28, `x-mcp-header`).
 *
 * @module
 */
import { entriesOf, isObject, textOf } from "../../schema/json_schema.ts";
import type { HeaderParameter } from "./header_fields.ts";

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Most schemas within each other that are looked into. */
const MAX_DEPTH = 64;

/** The arguments, or what is wrong with the schema: a tool with such a schema must not be used. */
export type HeaderParameters =
  | { readonly parameters: readonly HeaderParameter[] }
  | { readonly fault: string };

/** Finds the annotated properties of a tool's input schema. */
export function headerParametersOf(schema: unknown): HeaderParameters {
  const parameters: HeaderParameter[] = [];
  const fault = collect(schema, [], parameters) ?? twice(parameters);
  return fault === undefined ? { parameters } : { fault };
}

/** Goes through properties, by which alone an argument can be reached; returns a fault. */
function collect(
  schema: unknown,
  path: readonly string[],
  parameters: HeaderParameter[],
): string | undefined {
  if (!isObject(schema) || path.length > MAX_DEPTH) return undefined;
  if (Object.hasOwn(schema, KEYWORD)) {
    const name = textOf(schema[KEYWORD]) ?? "";
    if (path.length === 0) return `${KEYWORD} stands at the root`;
    if (!TOKEN.test(name)) return `${KEYWORD} ${JSON.stringify(name)} is no name of a header field`;
    if (!["string", "integer", "boolean"].includes(String(schema["type"]))) {
      return `${KEYWORD} "${name}" stands at what is no string, integer or boolean`;
    }
    parameters.push({ path, name: name.toLowerCase() });
  }
  for (const [keyword, value] of entriesOf(schema)) {
    if (keyword === "properties") {
      for (const [name, property] of entriesOf(value)) {
        const fault = collect(property, [...path, name], parameters);
        if (fault !== undefined) return fault;
      }
    } else if (!VALUES.has(keyword) && isAnnotated(value, path.length)) {
      return `${KEYWORD} stands below "${keyword}", where no argument is`;
    }
  }
  return undefined;
}

/** True when a value has the annotation anywhere. */
function isAnnotated(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => isAnnotated(item, depth + 1));
  return Object.hasOwn(value, KEYWORD) ||
    Object.entries(value).some(([name, member]) =>
      !VALUES.has(name) && isAnnotated(member, depth + 1)
    );
}

/** Keywords that hold values and not schemas. */
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

function twice(parameters: readonly HeaderParameter[]): string | undefined {
  const names = parameters.map(({ name }) => name);
  const again = names.find((name, index) => names.indexOf(name) !== index);
  return again === undefined ? undefined : `${KEYWORD} "${again}" stands at two properties`;
}
