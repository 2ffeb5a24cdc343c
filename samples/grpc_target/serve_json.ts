/**
 * Services from handlers that read and write JSON. All four kinds of call are one here: messages come
 * in, messages go out.
 *
 * @module
 */
import {
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { Buffer } from "node:buffer";
import { type Descriptors, messageOf } from "./descriptors.ts";
import { type Answer, type Ending, type ServerCall, Status, type Texts } from "./grpc_server.ts";

/** A call on its way. */
export interface Exchange {
  /** The messages that the client sends, with every field that has a default. */
  readonly requests: AsyncIterator<JsonObject, void>;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Answers one call, with a message or with many. */
export type Handler = (exchange: Exchange) => AsyncIterable<JsonObject>;

/** A field that is wrong, and why. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

/** A status that ends a call, thrown. */
export class Refusal extends Error {
  constructor(
    readonly code: keyof typeof Status,
    message: string,
    readonly violations: readonly Violation[] = [],
  ) {
    super(message);
  }
}

/** What the calls of a service have in common. */
export interface ServiceOptions {
  readonly descriptors: Descriptors;
  /** What is sent before the first message. */
  readonly headersFor?: (request: Texts) => Texts;
  /** What is sent after the last message of a call that succeeds. */
  readonly trailers?: Texts;
  /** Hears of calls that begin and end. */
  readonly onCount?: (change: 1 | -1) => void;
}

/** A handler for calls with one message each way. */
export function answerOnce(
  answer: (request: JsonObject, signal: AbortSignal) => JsonObject | Promise<JsonObject>,
): Handler {
  return async function* ({ requests, signal }) {
    const { value } = await requests.next();
    if (value === undefined) throw new Refusal("INVALID_ARGUMENT", "there is no message");
    yield await answer(value, signal);
  };
}

/** Who answers the methods of a service, by their paths; there is a handler for each by its name. */
export function answersOf(
  { typeName, methods }: DescService,
  handlers: Readonly<Record<string, Handler>>,
  options: ServiceOptions,
): [path: string, answer: Answer][] {
  return methods.map((method) => {
    const handler = handlers[method.name];
    if (handler === undefined) throw new Error(`nobody answers ${method.name}`);
    return [`/${typeName}/${method.name}`, (call) => run(call, { method, handler, options })];
  });
}

async function run(
  call: ServerCall,
  { method, handler, options }: { method: DescMethod; handler: Handler; options: ServiceOptions },
): Promise<Ending> {
  const { descriptors: { registry }, headersFor, trailers = {}, onCount } = options;
  onCount?.(1);
  try {
    if (headersFor !== undefined) call.sendHeaders(headersFor(call.metadata));
    const exchange = { requests: read(call, method, options), signal: call.signal };
    for await (const answer of handler(exchange)) {
      await call.send(toBinary(method.output, fromJson(method.output, answer, { registry })));
      call.signal.throwIfAborted();
    }
    return { trailers };
  } catch (error) {
    return endingOf(error, options.descriptors);
  } finally {
    onCount?.(-1);
  }
}

/** The messages of the client. */
async function* read(
  call: ServerCall,
  { input }: DescMethod,
  { descriptors: { registry } }: ServiceOptions,
): AsyncGenerator<JsonObject, void> {
  for await (const value of call.messages()) {
    const json = toJson(input, fromBinary(input, value), { registry, alwaysEmitImplicit: true });
    // A message is an object in JSON, but for well-known types, which no method takes here.
    yield json as JsonObject;
  }
}

/** The status of an error, with its violations as a google.rpc.BadRequest in the trailers. */
function endingOf(error: unknown, descriptors: Descriptors): Ending {
  if (!(error instanceof Refusal)) return { code: Status.INTERNAL, message: String(error) };
  const { message, violations } = error;
  const code = Status[error.code];
  if (violations.length === 0) return { code, message };
  const rich = messageOf(descriptors, "google.rpc.Status");
  const details = [{
    "@type": "type.googleapis.com/google.rpc.BadRequest",
    fieldViolations: violations.map(({ field, description }) => ({ field, description })),
  }];
  const value = fromJson(rich, { code, message, details }, { registry: descriptors.registry });
  const bytes = Buffer.from(toBinary(rich, value)).toString("base64");
  return { code, message, trailers: { "grpc-status-details-bin": bytes } };
}
