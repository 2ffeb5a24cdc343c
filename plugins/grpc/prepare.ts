/**
 * From a call's names and JSON to what goes over the wire.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { BowireError } from "../../lib/errors/mod.ts";
import type { Call, CallContext } from "../../lib/protocol/mod.ts";
import { parseJson } from "../../lib/schema/mod.ts";
import { type Codec, encodeMessage } from "./json/mod.ts";
import type { Parts } from "./parts.ts";
import { NoReflection } from "./reflection/reflection.ts";
import { explainNoReflection } from "./source/no_reflection.ts";
import { findMethod } from "./source/types_of.ts";
import { type Endpoint, readEndpoint } from "./wire/endpoint.ts";

/** A call that is ready to be made. */
export interface Prepared {
  readonly endpoint: Endpoint;
  readonly method: DescMethod;
  readonly messages: readonly Uint8Array[];
  /** Reads what comes back. */
  readonly codec: Codec;
}

/** Most messages of one call. */
const MAX_MESSAGES = 10_000;

/** A method at its server. */
export type Located = Omit<Prepared, "messages">;

/**
 * Finds a method.
 *
 * @throws {BowireError} `unknown_service`, `unknown_method`, or `not_discovered` when nothing describes
 * the target.
 */
export async function locate(
  { sources }: Parts,
  request: Pick<Call, "target" | "service" | "method" | "metadata">,
  context: CallContext,
): Promise<Located> {
  const endpoint = readEndpoint(request.target, request.metadata, context);
  const source = await sources.of(endpoint, context);
  const find = (typeName: string) => source.find(typeName, context);
  try {
    const method = await findMethod(source, request, context);
    return { endpoint, method, codec: { registry: source.library().registry, find } };
  } catch (error) {
    if (error instanceof NoReflection) throw explainNoReflection(request.target, error);
    throw error;
  }
}

/**
 * Finds the method and encodes the messages.
 *
 * @throws {BowireError} as {@linkcode locate} does; `invalid_argument` when a message does not fit.
 */
export async function prepare(parts: Parts, call: Call, context: CallContext): Promise<Prepared> {
  const located = await locate(parts, call, context);
  const { target, metadata, ownMetadata = {} } = call;
  const isOwn = Object.keys(ownMetadata).length > 0;
  const endpoint = isOwn
    ? readEndpoint(target, { ...ownMetadata, ...metadata }, context)
    : located.endpoint;
  const messages = [];
  for (const json of messagesOf(located.method, call.messages)) {
    messages.push(await encodeMessage(located.method.input, json, located.codec));
  }
  return { ...located, endpoint, messages };
}

/** The messages as JSON texts: an array is the sequence of a stream, and anything else is one. */
function messagesOf(method: DescMethod, given: readonly string[]): string[] {
  const isStreaming = method.methodKind === "client_streaming" ||
    method.methodKind === "bidi_streaming";
  const messages = isStreaming ? given.flatMap(itemsOf) : [...given];
  if (!isStreaming && messages.length > 1) {
    throw new BowireError(
      "invalid_argument",
      `cannot call "${method.parent.typeName}/${method.name}" with ${messages.length} messages: it takes one`,
    );
  }
  if (messages.length > MAX_MESSAGES) {
    throw new BowireError("invalid_argument", `cannot send more than ${MAX_MESSAGES} messages`);
  }
  return isStreaming || messages.length === 1 ? messages : ["{}"];
}

function itemsOf(text: string): string[] {
  if (!text.trimStart().startsWith("[")) return [text];
  const items: unknown = parseJson(text);
  return Array.isArray(items) ? items.map((item) => JSON.stringify(item)) : [text];
}
