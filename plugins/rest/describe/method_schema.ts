/**
 * One method as JSON Schema: its arguments, its answer, and arguments that fit.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { MethodSchema } from "../../../lib/model/mod.ts";
import { SchemaPacker } from "../../../lib/schema/pack.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { JsonObject } from "../document/json.ts";
import { packArguments } from "../method/argument_schemas.ts";
import { type BodyPlan, planBody } from "../method/body_plan.ts";
import { type Inputs, inputsOf } from "../method/inputs.ts";
import type { MethodEntry } from "../method/methods.ts";
import { successMedia } from "../method/outputs.ts";
import { isShared } from "../method/shared_names.ts";
import { sampleArguments } from "./sample.ts";

/** Most schema nodes of the arguments, and of the answer; about 100 KB each. */
const MAX_NODES = 2000;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Describes a method; see {@linkcode MethodSchema}. */
export function describeMethod(document: ApiDocument, entry: MethodEntry): MethodSchema {
  const inputs = inputsOf(entry, document);
  const plan = planBody(inputs, document);
  const schemas = packArguments(document, { inputs, plan }, {
    readOnly: "absent",
    maxNodes: MAX_NODES,
  });
  const output = outputSchema(document, entry);
  const sample = sampleArguments({ document, entry, inputs, plan }, schemas);
  return {
    input: JSON.stringify(inputSchema({ inputs, plan }, schemas)),
    ...(output === undefined ? {} : { output: JSON.stringify(output) }),
    ...(sample === undefined ? {} : { sample: JSON.stringify(sample) }),
  };
}

/** Parameters and body properties side by side, as a call takes them. */
function inputSchema(
  { inputs, plan }: { inputs: Inputs; plan: BodyPlan | undefined },
  { parameters, body, properties, definitions }: ReturnType<typeof packArguments>,
): JsonObject {
  const members = new Map(parameters);
  const required = new Set(
    inputs.parameters.filter((parameter) => parameter.required).map(({ name }) => name),
  );
  let isHidden = false;
  for (const [name, schema] of properties) {
    if (!members.has(name)) members.set(name, schema);
    else if (plan !== undefined) isHidden ||= !isShared(name, plan, inputs);
    if (plan?.required === true && plan.shape.required.has(name)) required.add(name);
  }
  if (plan !== undefined && body !== undefined && (!plan.isSpread || isHidden)) {
    members.set(plan.wholeName, body);
    if (plan.required && !isHidden) required.add(plan.wholeName);
  }
  return {
    $schema: DIALECT,
    type: "object",
    properties: Object.fromEntries(members),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(plan?.isSpread === true && plan.takesMore ? {} : { additionalProperties: false }),
    ...definitionsOf(definitions),
  };
}

/** The first JSON answer of a success. */
function outputSchema(document: ApiDocument, entry: MethodEntry): JsonObject | undefined {
  const media = successMedia(entry, document).find(({ type, schema }) =>
    schema !== undefined && (type === "*/*" || isJsonMediaType(type))
  );
  if (media === undefined) return undefined;
  const packer = new SchemaPacker((node) => document.references.resolve(node), {
    omitted: { flag: "writeOnly", as: "absent" },
    maxNodes: MAX_NODES,
  });
  return { $schema: DIALECT, ...packer.pack(media.schema), ...definitionsOf(packer.definitions) };
}

function definitionsOf(definitions: Readonly<Record<string, JsonObject>>): JsonObject {
  return Object.keys(definitions).length === 0 ? {} : { $defs: definitions };
}
