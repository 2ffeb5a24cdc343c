/**
 * A message as JSON Schema, for methods whose protocol has no schemas of its own.
 *
 * @module
 */
import type { Field, Message } from "../../model/mod.ts";
import type { JsonObject } from "../../schema/json_schema.ts";

/** What a type of a field is in JSON. */
const TYPES: Readonly<Record<string, JsonObject>> = {
  bool: { type: "boolean" },
  boolean: { type: "boolean" },
  string: { type: "string" },
  bytes: { type: "string", contentEncoding: "base64" },
  float: { type: "number" },
  double: { type: "number" },
  number: { type: "number" },
  int32: { type: "integer", format: "int32" },
  sint32: { type: "integer", format: "int32" },
  sfixed32: { type: "integer", format: "int32" },
  uint32: { type: "integer", format: "uint32" },
  fixed32: { type: "integer", format: "uint32" },
  integer: { type: "integer" },
};

/** 64-bit integers, which are sent as text where a number would be rounded. */
const LONG = /^(?:[us]?int|s?fixed)64$/;

/** Most messages within each other. */
const MAX_DEPTH = 8;

/** The JSON Schema of a message, as JSON text. */
export function schemaOfMessage(message: Message): string {
  const definitions = Object.entries(message.definitions ?? {})
    .map(([name, definition]) => [name, objectOf(definition, { depth: 1, recurring: message })]);
  return JSON.stringify({
    ...objectOf(message, { depth: 0, recurring: message }),
    ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
  });
}

/** Where a message stands. */
interface Place {
  readonly depth: number;
  /** The message that knows those which recur. */
  readonly recurring: Message;
}

function objectOf(message: Message, place: Place): JsonObject {
  const required = message.fields.filter(({ required }) => required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(
      message.fields.map((field) => [field.name, schemaOfField(field, place)]),
    ),
    ...(required.length === 0 ? {} : { required }),
  };
}

function schemaOfField(field: Field, place: Place): JsonObject {
  const { description, isMap, isRepeated, isNullable } = field;
  const value = valueOf(field, place);
  const whole = isMap
    ? { type: "object", additionalProperties: value }
    : isRepeated
    ? { type: "array", items: value }
    : value;
  return {
    ...(isNullable === true ? { anyOf: [whole, { type: "null" }] } : whole),
    ...(description === undefined ? {} : { description }),
  };
}

function valueOf(field: Field, { depth, recurring }: Place): JsonObject {
  const { type, messageType, enumValues, bounds = {} } = field;
  if (enumValues !== undefined) {
    return { type: "string", enum: [...new Set(enumValues.map(({ name }) => name))] };
  }
  if (messageType !== undefined) {
    const name = messageType.fullName;
    const isKnown = messageType.fields.length === 0 &&
      Object.hasOwn(recurring.definitions ?? {}, name);
    if (isKnown) return { $ref: `#/$defs/${encodeURIComponent(name)}` };
    return depth < MAX_DEPTH ? objectOf(messageType, { depth: depth + 1, recurring }) : {};
  }
  if (LONG.test(type)) return { type: ["string", "integer"], format: type };
  return { ...TYPES[type], ...bounds };
}
