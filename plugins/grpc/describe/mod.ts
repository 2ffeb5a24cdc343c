/**
 * What people and agents are shown of a server's types.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { schemaOf } from "./json_schema.ts";
import { protoOf } from "./proto_text.ts";
import { sampleOf } from "./sample.ts";
import type { MethodSchema } from "../../../lib/model/mod.ts";
import type { CallContext, DescribeAllRequest, SchemaPart } from "../../../lib/protocol/mod.ts";
import type { Parts } from "../parts.ts";
import { readEndpoint } from "../wire/endpoint.ts";

export { describeServices, isInternal, type ServiceOptions } from "./services.ts";

/** Describes the messages of one method; made when somebody asks for it. */
export function describeMethod(method: DescMethod, parts: readonly SchemaPart[]): MethodSchema {
  const sample = parts.includes("sample") ? sampleOf(method.input) : undefined;
  return {
    input: JSON.stringify(schemaOf(method.input)),
    ...(parts.includes("output") ? { output: JSON.stringify(schemaOf(method.output)) } : {}),
    ...(sample === undefined ? {} : { sample: JSON.stringify(sample) }),
    ...(parts.includes("definition")
      ? { definition: { language: "proto", text: protoOf(method) } }
      : {}),
  };
}

/** Describes many methods; `undefined` for one that the target does not describe. */
export async function describeAll(
  { sources }: Parts,
  { target, methods, parts, metadata }: DescribeAllRequest,
  context: CallContext,
): Promise<readonly (MethodSchema | undefined)[]> {
  const source = await sources.of(readEndpoint(target, metadata, context), context);
  const described = [];
  for (const { service, method } of methods) {
    const { methods: known = [] } = await source.service(service, context) ?? {};
    const found = known.find(({ name }) => name === method);
    described.push(found === undefined ? undefined : describeMethod(found, parts));
  }
  return described;
}
