/**
 * One method as JSON Schema: its arguments, its answer, and arguments that fit.
 *
 * @module
 */
import type { MethodSchema } from "../../../lib/model/mod.ts";
import type { MethodName, SchemaPart } from "../../../lib/protocol/mod.ts";
import { SchemaPacker } from "../../../lib/schema/pack.ts";
import type { ApiDocument } from "../document/api_document.ts";
import type { JsonObject } from "../document/json.ts";
import {
  argumentsByName,
  type ArgumentSchemas,
  isPlainText,
  packArguments,
} from "../method/argument_schemas.ts";
import { type BodyPlan, planBody } from "../method/body_plan.ts";
import { type Inputs, inputsOf } from "../method/inputs.ts";
import type { MethodEntry } from "../method/methods.ts";
import { jsonOutput } from "../method/outputs.ts";
import { isDescribedSpread } from "../method/shared_names.ts";
import { sampleArguments } from "./sample.ts";

/** Most schema nodes of the arguments, and of the answer; some 100 KB each. */
const MAX_NODES = 1000;

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Describes a method by the names that discovery gave; `undefined` when it is not there. */
export function describeNamed(
  document: ApiDocument,
  { service, method }: MethodName,
  parts: readonly SchemaPart[],
): MethodSchema | undefined {
  const entry = document.methodNamed(service, method);
  return entry === undefined ? undefined : describeMethod(document, entry, parts);
}

/** Describes a method; see {@linkcode MethodSchema}. */
export function describeMethod(
  document: ApiDocument,
  entry: MethodEntry,
  parts: readonly SchemaPart[],
): MethodSchema {
  const inputs = inputsOf(entry, document);
  const plan = planBody(inputs, document);
  const schemas = packArguments(document, { inputs, plan }, {
    purpose: "describe",
    maxNodes: MAX_NODES,
  });
  const output = parts.includes("output") ? outputSchema(document, entry) : undefined;
  const sample = parts.includes("sample") ? sampleOf(document, { inputs, plan }) : undefined;
  return {
    input: JSON.stringify(inputSchema({ inputs, plan }, schemas)),
    ...(output === undefined ? {} : { output: JSON.stringify(output) }),
    ...(sample === undefined ? {} : { sample: JSON.stringify(sample) }),
  };
}

function sampleOf(
  document: ApiDocument,
  described: { inputs: Inputs; plan: BodyPlan | undefined },
): JsonObject | undefined {
  const options = { purpose: "check", maxNodes: MAX_NODES } as const;
  return sampleArguments(described, packArguments(document, described, options));
}

/** Parameters and body properties side by side, or the body whole where those do not tell all. */
function inputSchema(
  { inputs, plan }: { inputs: Inputs; plan: BodyPlan | undefined },
  schemas: ArgumentSchemas,
): JsonObject {
  const members = argumentsByName(inputs, schemas.parameters);
  const required = new Set(
    inputs.parameters.filter((parameter) => parameter.required).map(({ name }) => name),
  );
  const isSpread = plan !== undefined && isDescribedSpread(plan, inputs);
  if (isSpread) {
    for (const [name, schema] of schemas.properties) {
      // Of what parameter and body share, the body says more.
      const own = members.get(name);
      if (own === undefined || isPlainText(own)) members.set(name, { ...schema, ...own });
      if (plan.required && plan.shape.required.has(name)) required.add(name);
    }
  } else if (plan !== undefined) {
    members.set(plan.wholeName, wholeBody(plan, schemas));
    if (plan.required) required.add(plan.wholeName);
  }
  const schema = {
    $schema: DIALECT,
    type: "object",
    properties: Object.fromEntries(members),
    ...(required.size === 0 ? {} : { required: [...required] }),
    ...(isSpread ? dependenciesIn(plan, schemas) : {}),
    ...(isSpread && plan.takesMore ? {} : { additionalProperties: false }),
  };
  return { ...schema, ...definitionsFor(schema, schemas.definitions) };
}

/** A body may be left out, but not a part of what it requires. */
function dependenciesIn(
  { required, shape }: BodyPlan,
  { properties }: ArgumentSchemas,
): JsonObject {
  const needed = [...shape.required].filter((name) => properties.has(name));
  if (required || needed.length === 0) return {};
  const dependencies = [...properties.keys()].map((property) => [
    property,
    needed.filter((name) => name !== property),
  ]);
  return { dependentRequired: Object.fromEntries(dependencies) };
}

/** The body as one argument; the fields of a form may be bytes, which its schema does not tell. */
function wholeBody(plan: BodyPlan, { body = {}, properties }: ArgumentSchemas): JsonObject {
  if (!plan.isForm || plan.shape.alternatives.length > 0) return body;
  const required = [...plan.shape.required].filter((name) => properties.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The first JSON answer of a success. */
function outputSchema(document: ApiDocument, entry: MethodEntry): JsonObject | undefined {
  const media = jsonOutput(entry, document);
  if (media === undefined) return undefined;
  const packer = new SchemaPacker((node) => document.references.resolve(node), {
    omitted: { flag: "writeOnly", as: "absent" },
    maxNodes: MAX_NODES,
  });
  const schema = { $schema: DIALECT, ...packer.pack(media.schema) };
  return { ...schema, ...definitionsFor(schema, packer.definitions) };
}

/** The definitions that a schema leads to, directly or through others. */
function definitionsFor(
  schema: JsonObject,
  definitions: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const needed = new Map<string, JsonObject>();
  const texts = [JSON.stringify(schema)];
  for (const text of texts) {
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/\$defs\/([\w.-]+)"/g)) {
      const definition = definitions[name];
      if (definition === undefined || needed.has(name)) continue;
      needed.set(name, definition);
      texts.push(JSON.stringify(definition));
    }
  }
  return needed.size === 0 ? {} : { $defs: Object.fromEntries(needed) };
}
