/**
 * JSON Schemas of methods as the schemas of tools: self-contained, plain, and short.
 *
 * @module
 */
import type { ObjectSchema } from "../../mcp/mod.ts";
import { isObject, type JsonObject } from "../../schema/json_schema.ts";
import { parseJson } from "../../schema/mod.ts";
import { type ArgumentPlan, renameProperties, wrapValue } from "./arguments.ts";
import { withDefinitions } from "./definitions.ts";
import { flattenRoot } from "./flat_root.ts";
import { hasLongs, withTextForLongs } from "./long_integers.ts";
import type { TextLimits } from "./texts.ts";
import { Unpacker } from "./unpacking/unpacker.ts";

/** The arguments of a tool. */
export interface PortableInput {
  readonly schema: ObjectSchema;
  readonly plan: ArgumentPlan;
}

/**
 * The schema of a tool's arguments. Its root is a plain object; it has no `$schema`, no reference
 * that leads out, one type a node, and compiles under the strictest settings of Ajv.
 *
 * @param text the JSON Schema (2020-12) of a method's message.
 * @param unpacker that of the other tools of the list.
 */
export function portableInput(
  text: string,
  unpacker: Unpacker = inputUnpacker(),
): PortableInput {
  const { root, definitions } = unpacker.unpack(text);
  const flat = flattenRoot(root, definitions);
  const { schema, ownNames } = renameProperties(flat ?? wrapValue(root));
  let longs: { readonly schema: JsonObject | undefined } | undefined;
  return {
    schema: asObjectSchema(withDefinitions(schema, definitions)),
    plan: {
      isWrapped: flat === undefined,
      ownNames,
      get longs() {
        longs ??= { schema: longsIn(text) }; // asked for by calls alone
        return longs.schema;
      },
    },
  };
}

/** Unpacks the arguments of tools. */
export function inputUnpacker(limits?: TextLimits): Unpacker {
  return new Unpacker({ prepare: withTextForLongs, limits });
}

/** The schema again, when it has integers that may be given as text. */
function longsIn(text: string): JsonObject | undefined {
  const schema = text.includes('int64"') ? parseJson(text) : undefined;
  return isObject(schema) && hasLongs(schema) ? schema : undefined;
}

/** Any schema, to be read: portable, and with its definitions. */
export function portableSchema(text: string): JsonObject {
  const { root, definitions } = new Unpacker().unpack(text);
  return withDefinitions(root, definitions);
}

/** A schema whose root is known to be an object's, as MCP wants it. */
export function asObjectSchema(schema: JsonObject): ObjectSchema {
  return { ...schema, type: "object" };
}
