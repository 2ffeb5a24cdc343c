/**
 * Services of grpc-js from handlers that read and write JSON. All four kinds of call are one here:
 * messages come in, messages go out.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import {
  type DescMethod,
  type DescService,
  fromBinary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import {
  Metadata,
  type Server,
  type ServerDuplexStream,
  type ServiceDefinition,
  status,
} from "@grpc/grpc-js";
import { type Descriptors, messageOf } from "./descriptors.ts";

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
    readonly code: keyof typeof status,
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
  readonly headersFor?: (request: Metadata) => Metadata;
  /** What is sent after the last message of a call that succeeds. */
  readonly trailers?: Metadata;
  /** Hears of calls that begin and end. */
  readonly onCount?: (change: 1 | -1) => void;
}

type Call = ServerDuplexStream<Buffer, Buffer>;

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

/** Adds a service to a server, with a handler for each method by its name. */
export function addService(
  server: Server,
  service: DescService,
  handlers: Readonly<Record<string, Handler>>,
  options: ServiceOptions,
): void {
  const definition: Record<string, ServiceDefinition[string]> = {};
  const implementation: Record<string, (call: Call) => void> = {};
  for (const method of service.methods) {
    const handler = handlers[method.name];
    if (handler === undefined) throw new Error(`nobody answers ${method.name}`);
    definition[method.name] = definitionOf(method);
    implementation[method.name] = (call) => void run(call, { method, handler, options });
  }
  server.addService(definition, implementation);
}

/** To grpc-js each method is a stream both ways, which on the wire is what the other kinds are. */
function definitionOf({ parent, name }: DescMethod): ServiceDefinition[string] {
  const keep = (bytes: Buffer) => bytes;
  return {
    path: `/${parent.typeName}/${name}`,
    requestStream: true,
    responseStream: true,
    requestSerialize: keep,
    requestDeserialize: keep,
    responseSerialize: keep,
    responseDeserialize: keep,
  };
}

async function run(
  call: Call,
  { method, handler, options }: { method: DescMethod; handler: Handler; options: ServiceOptions },
): Promise<void> {
  const { descriptors: { registry }, headersFor, trailers, onCount } = options;
  const gone = new AbortController();
  call.on("cancelled", () => gone.abort());
  onCount?.(1);
  try {
    if (headersFor !== undefined) call.sendMetadata(headersFor(call.metadata));
    const exchange = { requests: read(call, method, options), signal: gone.signal };
    for await (const answer of handler(exchange)) {
      const bytes = toBinary(method.output, fromJson(method.output, answer, { registry }));
      if (!call.write(Buffer.from(bytes))) await once(call, "drain", { signal: gone.signal });
      gone.signal.throwIfAborted();
    }
    call.end(trailers);
  } catch (error) {
    if (!gone.signal.aborted) call.emit("error", statusOf(error, options.descriptors));
  } finally {
    onCount?.(-1);
  }
}

/** The messages of the client. The call stays open when there are no more, and when nobody reads. */
async function* read(
  call: Call,
  { input }: DescMethod,
  { descriptors: { registry } }: ServiceOptions,
): AsyncGenerator<JsonObject, void> {
  for await (const value of call.iterator({ destroyOnReturn: false })) {
    const json = toJson(input, fromBinary(input, value), { registry, alwaysEmitImplicit: true });
    // A message is an object in JSON, but for well-known types, which no method takes here.
    yield json as JsonObject;
  }
}

/** The status of an error, with its violations as a google.rpc.BadRequest in the trailers. */
function statusOf(error: unknown, descriptors: Descriptors) {
  if (!(error instanceof Refusal)) return { code: status.INTERNAL, details: String(error) };
  const { message, violations } = error;
  const code = status[error.code];
  const metadata = new Metadata();
  if (violations.length > 0) {
    const rich = messageOf(descriptors, "google.rpc.Status");
    const details = [{
      "@type": "type.googleapis.com/google.rpc.BadRequest",
      fieldViolations: violations.map(({ field, description }) => ({ field, description })),
    }];
    const value = fromJson(rich, { code, message, details }, { registry: descriptors.registry });
    metadata.set("grpc-status-details-bin", Buffer.from(toBinary(rich, value)));
  }
  return { code, details: message, metadata };
}
