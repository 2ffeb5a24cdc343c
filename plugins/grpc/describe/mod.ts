/**
 * What people and agents are shown of a server's types.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { schemaOf } from "./json_schema.ts";
import { protoOf } from "./proto_text.ts";
import { sampleOf } from "./sample.ts";

export { describeServices, isInternal, type ServiceOptions } from "./services.ts";

/** What it takes to write the messages of one method, as JSON texts but for the definition. */
export interface MethodDescription {
  /** JSON Schema 2020-12 of each message that goes in. */
  readonly input: string;
  /** JSON Schema 2020-12 of each message that comes out. */
  readonly output: string;
  /** A message that satisfies `input`; absent when none could be made. */
  readonly sample?: string;
  /** The method and its types as text of `.proto` files. */
  readonly definition: string;
}

/** Describes a method; made when somebody asks for it. */
export function describeMethod(method: DescMethod): MethodDescription {
  const sample = sampleOf(method.input);
  return {
    input: JSON.stringify(schemaOf(method.input)),
    output: JSON.stringify(schemaOf(method.output)),
    ...(sample === undefined ? {} : { sample: JSON.stringify(sample) }),
    definition: protoOf(method),
  };
}
