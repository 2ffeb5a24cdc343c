/**
 * The JSON Schemas of a method's arguments, each by itself.
 *
 * @module
 */
import { cleanText } from "../../../lib/schema/clean_text.ts";
import { SchemaPacker } from "../../../lib/schema/pack.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { type JsonObject, textOf } from "../document/json.ts";
import type { BodyPlan } from "./body_plan.ts";
import type { Inputs } from "./inputs.ts";
import { PLAIN_SCHEMA } from "./parameter.ts";

/** What is packed for one purpose. */
export interface ArgumentSchemas {
  /** By argument name, in the order of the document. */
  readonly parameters: ReadonlyMap<string, JsonObject>;
  /** Of the whole body; absent when the method takes none, or bytes. */
  readonly body: JsonObject | undefined;
  /** Of the body's properties when each is an argument of its own. */
  readonly properties: ReadonlyMap<string, JsonObject>;
  /** What the others refer to, as `#/$defs/NAME`. */
  readonly definitions: Readonly<Record<string, JsonObject>>;
}

/** How arguments are packed. */
export interface PackArgumentsOptions {
  /** What becomes of properties that only answers have. */
  readonly readOnly: "absent" | "refused";
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
      },
      additionalProperties: false,
    },
  ],
};

/** Packs the schemas of a method's arguments. */
export function packArguments(
  document: ApiDocument,
  { inputs, plan }: { inputs: Inputs; plan: BodyPlan | undefined },
  { readOnly, maxNodes }: PackArgumentsOptions,
): ArgumentSchemas {
  const packer = new SchemaPacker((node) => document.references.resolve(node), {
    omitted: { flag: "readOnly", as: readOnly },
    maxNodes,
  });
  const parameters = new Map<string, JsonObject>();
  for (const { name, schema, definition } of inputs.parameters) {
    if (parameters.has(name)) continue;
    // Nobody said that it is text alone; it may be anything that can be written as text.
    const packed = schema === PLAIN_SCHEMA ? {} : packer.pack(schema);
    parameters.set(name, { ...packed, ...describedBy(definition) });
  }
  const properties = new Map<string, JsonObject>();
  for (const [name, schema] of plan?.isSpread === true ? plan.shape.properties : []) {
    if (plan?.isReadOnly(name) === true) continue;
    properties.set(
      name,
      plan?.isBinary(name) === true
        ? bytesLike(document.shapes.of(schema).items !== undefined, packer.pack(schema))
        : packer.pack(schema),
    );
  }
  const body = plan === undefined
    ? undefined
    : plan.isBinary()
    ? BYTES_SCHEMA
    : packer.pack(plan.schema);
  return { parameters, body, properties, definitions: packer.definitions };
}

/** A description that the parameter has comes before that of its schema. */
function describedBy(definition: JsonObject): JsonObject {
  const description = cleanText(textOf(definition["description"]) ?? "", MAX_DESCRIPTION_LENGTH);
  return {
    ...(description === "" ? {} : { description }),
    ...(definition["deprecated"] === true ? { deprecated: true } : {}),
  };
}

function bytesLike(isList: boolean, { description }: JsonObject): JsonObject {
  return {
    ...(description === undefined ? {} : { description }),
    ...(isList ? { type: "array", items: BYTES_SCHEMA } : BYTES_SCHEMA),
  };
}
