/**
 * Schemas of servers, made safe to be shown and held against values.
 *
 * @module
 */
import type { Message, MethodSchema } from "../../../lib/model/mod.ts";
import type { SchemaPart } from "../../../lib/protocol/mod.ts";
import { isObject, type JsonObject, listOf, memberOf } from "../../../lib/schema/json_schema.ts";
import { MessageBuilder } from "../../../lib/schema/messages/messages.ts";
import { SchemaPacker } from "../../../lib/schema/pack.ts";
import { sampleOf } from "../../../lib/schema/sample.ts";
import { localReferences } from "../../../lib/schema/shapes/local_references.ts";
import { Shapes } from "../../../lib/schema/shapes/shapes.ts";

/** Most schema nodes of one schema. */
const MAX_NODES = 2000;
/** Fields of one message tree after which its nested messages stay empty. */
const MAX_FIELDS = 300;

/** A schema, and the document that its references are about. */
export interface RootedSchema {
  readonly schema: unknown;
  /** @default the schema itself */
  readonly root?: unknown;
}

/** A schema of arguments, which are an object, whatever the server wrote. */
export function packArguments(given: RootedSchema): JsonObject {
  const { type: _type, ...packed } = withoutNeedless(packSchema(given));
  return { type: "object", ...packed };
}

/** The same schema as a message with its fields. */
export function argumentsMessage(name: string, { schema, root = schema }: RootedSchema): Message {
  return messageOf(name, { schema: isObject(schema) ? withoutNeedless(schema) : schema, root });
}

/**
 * A property that has a default may be left out: libraries that write schemas of what they have read
 * call it required all the same.
 */
function withoutNeedless({ required, ...schema }: JsonObject): JsonObject {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const needed = listOf(required).filter((name) => {
    const property = memberOf(properties, String(name));
    return !(isObject(property) && "default" in property);
  });
  return { ...schema, ...(needed.length === 0 ? {} : { required: needed }) };
}

/** A schema that stands alone. */
export function packSchema({ schema, root = schema }: RootedSchema): JsonObject {
  const packer = new SchemaPacker(localReferences(root), { maxNodes: MAX_NODES });
  const packed = packer.pack(isObject(schema) ? schema : {});
  const { definitions } = packer;
  return {
    ...packed,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

/** A schema as a message with its fields. */
export function messageOf(name: string, { schema, root = schema }: RootedSchema): Message {
  const shapes = new Shapes(localReferences(root));
  const shape = shapes.of(isObject(schema) ? schema : {});
  const builder = new MessageBuilder(shapes, { maxFields: MAX_FIELDS });
  return builder.build(name, builder.seedsOf(shape), shape);
}

/** What it takes to call a method with such arguments, as far as it is wanted. */
export function methodSchema(
  method: { readonly input: RootedSchema; readonly output: RootedSchema },
  parts: readonly SchemaPart[],
): MethodSchema {
  const input = packArguments(method.input);
  const sample = parts.includes("sample") ? sampleOf(input) : undefined;
  return {
    input: JSON.stringify(input),
    ...(parts.includes("output") ? { output: JSON.stringify(packSchema(method.output)) } : {}),
    ...(sample === undefined ? {} : { sample: JSON.stringify(sample) }),
  };
}
