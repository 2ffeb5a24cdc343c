/**
 * JSON Schemas of methods as the schemas of tools: self-contained, plain, and short.
 *
 * @module
 */
import type { ObjectSchema } from "../../mcp/mod.ts";
import { isObject, type JsonObject } from "../../schema/json_schema.ts";
import { parseJson } from "../../schema/mod.ts";
import { resolvePointer } from "../../schema/json_pointer.ts";
import { SchemaPacker } from "../../schema/pack.ts";
import { type ArgumentPlan, renameProperties, wrapValue } from "./arguments.ts";
import { withDefinitions } from "./definitions.ts";
import { flattenRoot } from "./flat_root.ts";
import { hasLongs, withTextForLongs } from "./long_integers.ts";
import { cutLoops } from "./loops.ts";
import { portableNode } from "./portable_node.ts";
import { LONG_TEXTS, shortenTexts, type TextLimits } from "./texts.ts";
import type { Definitions } from "./visit.ts";

/** The arguments of a tool. */
export interface PortableInput {
  readonly schema: ObjectSchema;
  readonly plan: ArgumentPlan;
}

/** Most schema nodes of one tool; what lies beyond may be anything. */
const MAX_NODES = 2000;

/**
 * The schema of a tool's arguments. Its root is a plain object; it has no `$schema`, no reference
 * that leads out, one type a node, and compiles under the strictest settings of Ajv.
 *
 * @param text the JSON Schema (2020-12) of a method's message.
 */
export function portableInput(text: string, limits: TextLimits = LONG_TEXTS): PortableInput {
  const { root, definitions } = unpack(text, withTextForLongs);
  const flat = flattenRoot(root, definitions);
  const { schema, ownNames } = renameProperties(flat ?? wrapValue(root));
  return {
    schema: asObjectSchema(shortenTexts(withDefinitions(schema, definitions), limits)),
    plan: { isWrapped: flat === undefined, ownNames, longs: longsIn(text) },
  };
}

/** The schema again, when it has integers that may be given as text. */
function longsIn(text: string): JsonObject | undefined {
  const schema = text.includes('int64"') ? parseJson(text) : undefined;
  return isObject(schema) && hasLongs(schema) ? schema : undefined;
}

/** Any schema, to be read: portable, and with its definitions. */
export function portableSchema(text: string): JsonObject {
  const { root, definitions } = unpack(text);
  return withDefinitions(root, definitions);
}

/**
 * A schema and its definitions, every node of them portable.
 *
 * @param prepare what is done to each schema before.
 */
export function unpack(
  text: string,
  prepare: (schema: JsonObject) => JsonObject = (schema) => schema,
): { root: JsonObject; definitions: Definitions } {
  const whole = parseJson(text);
  const packer = new SchemaPacker((node) => follow(node, whole), { maxNodes: MAX_NODES });
  const root = portableNode(prepare(packer.pack(whole)));
  const packed = Object.entries(packer.definitions)
    .map(([name, schema]) => [name, prepare(schema)] as const);
  const definitions = [...cutLoops(new Map(packed))]
    .map(([name, schema]) => [name, portableNode(schema)] as const);
  return { root, definitions: new Map(definitions) };
}

function follow(node: unknown, root: unknown) {
  const reference = isObject(node) ? node["$ref"] : undefined;
  if (!isObject(node) || typeof reference !== "string") return undefined;
  const goal = resolvePointer(root, reference);
  if (!isObject(goal)) return undefined;
  const { $ref: _, ...siblings } = node;
  return { value: { ...goal, ...siblings }, identity: goal, name: reference.split("/").at(-1) };
}

/** A schema whose root is known to be an object's, as MCP wants it. */
export function asObjectSchema(schema: JsonObject): ObjectSchema {
  return { ...schema, type: "object" };
}
