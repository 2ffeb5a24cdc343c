/**
 * A call on the wire: bytes of messages go out and come in, whatever frames them.
 *
 * @module
 */
import {
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromBinary,
} from "@bufbuild/protobuf";
import { type BytesValue, BytesValueSchema, EmptySchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { BowireError } from "../../../lib/errors/mod.ts";
import { abortError, type CallContext, place, USER_AGENT } from "../../../lib/protocol/mod.ts";
import { TOO_LARGE } from "./compression.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Connections } from "./http2/connections.ts";
import { headersOf } from "./metadata.ts";
import { transportFor } from "./transports.ts";
import { MAX_MESSAGE_BYTES } from "./wrap.ts";
import { detailsOf, partsOf, textsOf, type WireEnd } from "./wire_end.ts";

/** One call, its messages encoded. */
export interface WireCall {
  readonly endpoint: Endpoint;
  readonly method: DescMethod;
  readonly messages: readonly Uint8Array[];
  /** Whether the request stream stays open after the last message, until the call is over. */
  readonly keepsOpen: boolean;
  /** Hears the headers of the answer, before its first message. */
  readonly onHeaders?: (headers: Readonly<Record<string, string>>) => void;
}

/** The messages that come in, one when it is asked for; what it returns is the server's word. */
export type WireStream = AsyncGenerator<Uint8Array<ArrayBuffer>, WireEnd, undefined>;

/** Makes calls. */
export interface Wire {
  /**
   * Starts a call at the first message that is asked for. One who stops asking ends it.
   *
   * @throws {BowireError} when the server cannot be reached in time, or says what is no call.
   */
  open(call: WireCall, context: CallContext): WireStream;
}

/** How much earlier than we a server may count the time of a call as over, in milliseconds. */
const TIMING_MS = 50;

/** Makes the wire over the connections of a plugin. */
export function createWire(connections: Connections): Wire {
  return { open: (call, context) => run(connections, call, context) };
}

async function* run(connections: Connections, call: WireCall, context: CallContext): WireStream {
  const over = Promise.withResolvers<void>();
  const abort = new AbortController();
  const signal = AbortSignal.any([context.signal, abort.signal]);
  let header = new Headers();
  try {
    const onHeader = (came: Headers) => header = came;
    const transport = await transportFor(call, { connections, context, onHeader });
    const answer = await begin(transport, call, { context, signal, over: over.promise });
    call.onHeaders?.(textsOf(header));
    for await (const { value } of answer.messages) yield new Uint8Array(value);
    const { header: headers, trailer } = answer;
    return { code: 0, message: "", headers: textsOf(headers), trailers: textsOf(trailer) };
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const failure = failureOf(error, call, context);
    if (failure !== undefined) throw failure;
    return {
      code: error.code,
      message: error.rawMessage,
      ...partsOf(error.metadata, header),
      ...detailsOf(error),
    };
  } finally {
    over.resolve();
    abort.abort();
  }
}

/** What came back before the first message. */
interface Begun {
  readonly header: Headers;
  readonly trailer: Headers;
  readonly messages: AsyncIterable<BytesValue>;
}

interface Bounds {
  readonly context: CallContext;
  readonly signal: AbortSignal;
  /** Settles when the call is over. */
  readonly over: Promise<void>;
}

async function begin(
  transport: Transport,
  { endpoint, method, messages, keepsOpen }: WireCall,
  { context, signal, over }: Bounds,
): Promise<Begun> {
  const headers = headersOf(endpoint.metadata);
  if (!headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
  const timeoutMs = Math.max(1, context.leftMs());
  const inputs = messages.map((bytes) => fromBinary(EmptySchema, bytes));
  const raw = rawMethod(method);
  if (isUnary(raw)) {
    const [input = {}] = inputs;
    const answer = await transport.unary(raw, signal, timeoutMs, headers, input);
    return { ...answer, messages: only(answer.message) };
  }
  const outgoing = each(inputs, keepsOpen ? over : undefined);
  const answer = await transport.stream(raw, signal, timeoutMs, headers, outgoing);
  return { ...answer, messages: answer.message };
}

type Raw<Method> = Method & {
  readonly input: typeof EmptySchema;
  readonly output: typeof BytesValueSchema;
};

/**
 * The method with messages that keep what is in them as it is on the wire: requests have no fields
 * that are known, and answers come wrapped.
 */
function rawMethod(method: DescMethod): Raw<DescMethodUnary> | Raw<DescMethodStreaming> {
  const raw = { ...method, input: EmptySchema, output: BytesValueSchema };
  return raw as Raw<DescMethodUnary> | Raw<DescMethodStreaming>;
}

function isUnary(method: DescMethod): method is Raw<DescMethodUnary> {
  return method.methodKind === "unary";
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function* each<T>(items: readonly T[], end: Promise<void> | undefined): AsyncGenerator<T> {
  yield* items;
  await end;
}

/** A server that says so has its own limit. */
const OVER_LIMIT = new RegExp(`^${TOO_LARGE} ${MAX_MESSAGE_BYTES}\\b`);

/** The error of a call that the server did not end itself; `undefined` when it did. */
function failureOf(
  error: ConnectError,
  { endpoint: { target } }: WireCall,
  context: CallContext,
): BowireError | undefined {
  const cause = innermost(error);
  if (cause instanceof BowireError) return cause;
  const isTimedOut = error.code === Code.DeadlineExceeded && context.leftMs() < TIMING_MS;
  if (context.signal.aborted || isTimedOut) {
    return abortError(target, context.givenUp, context.timeoutMs);
  }
  if (!OVER_LIMIT.test(error.rawMessage)) return undefined;
  return new BowireError(
    "too_large",
    `a message of ${place(target)} is larger than ${MAX_MESSAGE_BYTES} bytes`,
    { hint: "ask for less: a filter, a page size" },
  );
}

function innermost(error: Error): unknown {
  const { cause } = error;
  return cause instanceof Error && !(cause instanceof BowireError) ? innermost(cause) : cause;
}
