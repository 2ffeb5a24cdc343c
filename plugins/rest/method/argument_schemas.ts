/**
 * The JSON Schemas of a method's arguments, each by itself.
 *
 * @module
 */
import { cleanText } from "../../../lib/schema/clean_text.ts";
import { SchemaPacker } from "../../../lib/schema/pack.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { type JsonObject, textOf } from "../document/json.ts";
import { isOnly } from "../../../lib/schema/shapes/shape.ts";
import type { BodyPlan } from "./body_plan.ts";
import type { Inputs } from "./inputs.ts";
import { PLAIN_SCHEMA } from "./parameter.ts";
import { isDescribedSpread } from "./shared_names.ts";

/** The schemas of one method. */
export interface ArgumentSchemas {
  /** One a parameter, in their order: several may have one name. */
  readonly parameters: readonly JsonObject[];
  /** Of the whole body; absent when the method takes none, or when only its properties are told. */
  readonly body: JsonObject | undefined;
  /** Of the body's properties, as arguments; none when they are not told one by one. */
  readonly properties: ReadonlyMap<string, JsonObject>;
  /** What the others refer to, as `#/$defs/NAME`. */
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** How arguments are packed. */
export interface PackArgumentsOptions {
  /** To tell callers what to write, or to hold what they wrote against. */
  readonly purpose: "describe" | "check";
  /** Most schema nodes of one method. */
  readonly maxNodes: number;
}

/** Longest description of a parameter, in UTF-16 units. */
const MAX_DESCRIPTION_LENGTH = 2000;

/** Bytes in an argument. */
const BYTES_SCHEMA: JsonObject = {
  anyOf: [
    { type: "string", contentEncoding: "base64" },
    {
      type: "object",
      properties: {
        file: { type: "string", description: "path in a folder that is allowed" },
        base64: { type: "string" },
        fileName: { type: "string" },
        contentType: { type: "string" },
        headers: { type: "object" },
      },
      additionalProperties: false,
    },
  ],
};

/**
 * Packs the schemas of a method's arguments. What is read-only is left out of a description, and
 * refused by a check.
 */
export function packArguments(
  document: ApiDocument,
  { inputs, plan }: { inputs: Inputs; plan: BodyPlan | undefined },
  { purpose, maxNodes }: PackArgumentsOptions,
): ArgumentSchemas {
  const as = purpose === "describe" ? "absent" : "refused";
  const packer = new SchemaPacker((node) => document.references.resolve(node), {
    omitted: { flag: "readOnly", as },
    maxNodes,
  });
  const parameters = inputs.parameters.map(({ schema, place, definition }) => {
    // Nobody said that it is text alone; it may be anything that can be written as text.
    const isAnything = purpose === "check" && schema === PLAIN_SCHEMA;
    const packed = isAnything ? {} : packer.pack(schema);
    return { ...place === "path" ? notEmpty(packed) : packed, ...describedBy(definition) };
  });
  const properties = new Map<string, JsonObject>();
  const isListed = purpose === "describe" && plan !== undefined && isToldByProperties(plan, inputs);
  for (const [name, schema] of isListed ? plan.shape.properties : []) {
    if (plan?.isReadOnly(name) === true) continue;
    const packed = packer.pack(schema);
    const isList = isOnly(document.shapes.of(schema), "array");
    properties.set(name, plan?.isBinary(name) === true ? bytesLike(packed, isList) : packed);
  }
  const body = plan === undefined || isListed
    ? undefined
    : plan.isBinary()
    ? BYTES_SCHEMA
    : packer.pack(plan.schema);
  return { parameters, body, properties, definitions: packer.definitions };
}

/** True when a description has no need of the body's own schema. */
function isToldByProperties(plan: BodyPlan, inputs: Inputs): boolean {
  return isDescribedSpread(plan, inputs) ||
    (plan.isForm && plan.shape.alternatives.length === 0);
}

/** Nothing empty can stand in a path. */
function notEmpty(schema: JsonObject): JsonObject {
  const { minLength = 1, minItems = 1, minProperties = 1 } = schema;
  if (schema["type"] === undefined) return { ...schema, minLength, minItems, minProperties };
  return schema["type"] === "string" ? { ...schema, minLength: minLength || 1 } : schema;
}

/** True for the schema of text that may be any. */
export function isPlainText(schema: JsonObject = {}): boolean {
  return schema["type"] === "string" &&
    ["enum", "format", "pattern"].every((name) => schema[name] === undefined);
}

/**
 * The schema of each argument by name. Of several parameters that one argument fills, text takes
 * any value and a list takes one, so that the schema of another counts.
 */
export function argumentsByName(
  { parameters }: Inputs,
  schemas: readonly JsonObject[],
): Map<string, JsonObject> {
  const byName = new Map<string, JsonObject>();
  for (const [index, { name }] of parameters.entries()) {
    const schema = schemas[index] ?? {};
    const isOpen = byName.get(name)?.["type"] === "string" && schema["type"] !== "array";
    if (isOpen || !byName.has(name)) byName.set(name, schema);
  }
  return byName;
}

/** A description that the parameter has comes before that of its schema. */
function describedBy(definition: JsonObject): JsonObject {
  const description = cleanText(textOf(definition["description"]) ?? "", MAX_DESCRIPTION_LENGTH);
  return {
    ...(description === "" ? {} : { description }),
    ...(definition["deprecated"] === true ? { deprecated: true } : {}),
  };
}

function bytesLike({ description }: JsonObject, isList: boolean): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(isList ? { type: "array", items: BYTES_SCHEMA } : BYTES_SCHEMA),
  };
}
