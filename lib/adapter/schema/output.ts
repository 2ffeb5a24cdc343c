/**
 * Schemas of answers. Clients refuse an answer that does not fit, so they say little: the types of
 * what is there, and nothing of what must be.
 *
 * @module
 */
import type { ObjectSchema } from "../../mcp/mod.ts";
import { entriesOf, isObject, type JsonObject, memberOf } from "../../schema/json_schema.ts";
import { compileValidator } from "../../schema/validate.ts";
import { withDefinitions } from "./definitions.ts";
import { flattenRoot } from "./flat_root.ts";
import { asObjectSchema } from "./portable.ts";
import { Unpacker } from "./unpacking/unpacker.ts";
import { mapSchemas } from "./visit.ts";

/** An answer as far as it fits its schema. */
export interface CheckedAnswer {
  /** The members that fit. */
  readonly fitting: JsonObject;
  /** Names of the others. */
  readonly unfit: readonly string[];
}

/** The output schema of a tool. */
export interface OutputCheck {
  readonly schema: ObjectSchema;
  /** Holds an answer against it. */
  check(answer: JsonObject): CheckedAnswer;
}

/** Members of what a failed call answers: whatever the method calls so may be anything. */
const FAILURE_NAMES: readonly string[] = ["error", "body"];

/** Keywords that tell what an answer is made of. */
const KEPT: ReadonlySet<string> = new Set([
  "$ref",
  "type",
  "title",
  "description",
  "deprecated",
  "properties",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
]);

/**
 * The output schema of a method; `undefined` when it does not answer with an object.
 *
 * @param text the JSON Schema (2020-12) of the answer.
 * @param unpacker that of the other tools of the list.
 */
export function portableOutput(
  text: string,
  unpacker: Unpacker = outputUnpacker(),
): OutputCheck | undefined {
  const { root, definitions } = unpacker.unpack(text);
  const flat = flattenRoot(root, definitions);
  if (flat === undefined) return undefined;
  const own = entriesOf(flat["properties"]).filter(([name]) => !FAILURE_NAMES.includes(name));
  const { description } = flat;
  const schema = asObjectSchema(withDefinitions({
    type: "object",
    ...(description === undefined ? {} : { description }),
    properties: Object.fromEntries(own),
  }, definitions));
  return { schema, check: (answer) => check(answer, schema) };
}

/** Unpacks the answers of tools. */
export function outputUnpacker(): Unpacker {
  return new Unpacker({ prepare: loosen });
}

/** The schema without what an answer may fail by, its types aside. */
function loosen(node: JsonObject): JsonObject {
  const { additionalProperties, prefixItems } = node;
  const kept = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => KEPT.has(keyword)),
  );
  return mapSchemas({
    ...kept,
    ...(isObject(additionalProperties) ? { additionalProperties } : {}),
    ...(prefixItems === undefined ? {} : { items: {} }),
  }, loosen);
}

function check(answer: JsonObject, schema: ObjectSchema): CheckedAnswer {
  const { properties = {}, $defs } = schema;
  const unfit = entriesOf(answer).filter(([name, value]) => {
    const property = memberOf(properties, name);
    if (!isObject(property)) return false;
    const validate = compileValidator(isObject($defs) ? { ...property, $defs } : property);
    return validate(value).length > 0;
  }).map(([name]) => name);
  const fitting = entriesOf(answer).filter(([name]) => !unfit.includes(name));
  return { fitting: Object.fromEntries(fitting), unfit };
}
