/**
 * gRPC-Web and the Connect protocol, by @connectrpc/connect over the guarded HTTP of the context.
 * All messages are known before a call begins, so a request is one body; what comes back is read as
 * it comes.
 *
 * @module
 */
import {
  type DescMethod,
  type DescMethodStreaming,
  type DescMethodUnary,
  fromBinary,
  type Message,
  toBinary,
} from "@bufbuild/protobuf";
import { ConnectError, type Transport } from "@connectrpc/connect";
import type { UniversalClientFn } from "@connectrpc/connect/protocol";
import { createTransport as createConnect } from "@connectrpc/connect/protocol-connect";
import { createTransport as createWeb } from "@connectrpc/connect/protocol-grpc-web";
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  abortError,
  type CallContext,
  place,
  refuseTls,
  USER_AGENT,
} from "../../../lib/protocol/mod.ts";
import { writeStatus } from "../status/status_message.ts";
import { gzip } from "./compression.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Entry, readEntries } from "./metadata.ts";
import {
  MAX_MESSAGE_BYTES,
  type Wire,
  type WireCall,
  type WireEnd,
  type WireStream,
} from "./wire.ts";

/** Makes calls over HTTP as fetch has it. */
export const connectWire: Wire = { open: run };

/** What came back before the first message. */
interface Opened {
  readonly header: Headers;
  readonly trailer: Headers;
  readonly messages: AsyncIterable<Message>;
}

async function* run(call: WireCall, context: CallContext): WireStream {
  const { endpoint, method } = call;
  let header = new Headers();
  try {
    const opened = await open(call, context);
    header = opened.header;
    for await (const message of opened.messages) {
      yield new Uint8Array(toBinary(method.output, message));
    }
    return endOf(0, "", { header, trailer: opened.trailer });
  } catch (thrown) {
    const error = ConnectError.from(thrown);
    const cause = innermost(error);
    if (cause instanceof BowireError) throw cause;
    if (context.signal.aborted) {
      throw abortError(endpoint.target, context.givenUp, context.timeoutMs);
    }
    if (/^message size \d+ is larger than configured/.test(error.rawMessage)) {
      throw tooLarge(endpoint);
    }
    const parts = { header, trailer: error.metadata };
    return { ...endOf(error.code, error.rawMessage, parts), ...detailsOf(error) };
  }
}

async function open(
  { endpoint, method, messages }: WireCall,
  context: CallContext,
): Promise<Opened> {
  const transport = transportFor(endpoint, context);
  const headers = new Headers([["user-agent", USER_AGENT]]);
  for (const [name, value] of readEntries(endpoint.metadata)) headers.append(name, textOf(value));
  const inputs = messages.map((bytes) => fromBinary(method.input, bytes));
  const { signal } = context;
  const timeoutMs = context.leftMs();
  if (isUnary(method)) {
    const [input = fromBinary(method.input, new Uint8Array())] = inputs;
    const answer = await transport.unary(method, signal, timeoutMs, headers, input);
    return { ...answer, messages: only(answer.message) };
  }
  if (!isStreaming(method)) throw new Error("a method is unary or a stream");
  const answer = await transport.stream(method, signal, timeoutMs, headers, each(inputs));
  return { ...answer, messages: answer.message };
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}

function isStreaming(method: DescMethod): method is DescMethodStreaming {
  return method.methodKind !== "unary";
}

function transportFor(endpoint: Endpoint, context: CallContext): Transport {
  const { target, prefix, variant, compression, authority, tls } = endpoint;
  if (authority !== undefined) {
    throw new BowireError("invalid_argument", `cannot use ":authority" over ${variant}`, {
      hint: "only gRPC over HTTP/2 can name another authority",
    });
  }
  if (tls.allowSelfSigned && tls.caCertificate === undefined) {
    refuseTls("gRPC-Web and Connect cannot pass over a certificate: give its caCertificate");
  }
  if (compression === "deflate") {
    throw new BowireError("invalid_argument", `cannot compress with deflate over ${variant}`, {
      hint: 'use "gzip"',
    });
  }
  const create = variant === "web" ? createWeb : createConnect;
  return create({
    httpClient: clientOver(endpoint, context),
    baseUrl: target.origin + prefix,
    useBinaryFormat: true,
    interceptors: [],
    acceptCompression: [gzip],
    sendCompression: compression === "gzip" ? gzip : null,
    compressMinBytes: 0,
    readMaxBytes: MAX_MESSAGE_BYTES,
    writeMaxBytes: 0xffff_ffff,
  });
}

function clientOver({ target, tls }: Endpoint, context: CallContext): UniversalClientFn {
  return async ({ url, method, header, body }) => {
    const { status, headers, body: answer } = await context.open(
      context.admit(url, place(target)),
      {
        method,
        headers: [...header],
        tls,
        ...(body === undefined ? {} : { body: await join(body) }),
        maxRedirects: 0,
      },
    );
    const shown = headers.map(([name, value]): [string, string] => [name, value]);
    return { status, header: new Headers(shown), body: answer, trailer: new Headers() };
  };
}

async function join(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await Array.fromAsync(body, (piece) => new Uint8Array(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function textOf(value: Entry[1]): string {
  return typeof value === "string" ? value : value.toString("base64").replace(/=+$/, "");
}

async function* only<T>(item: T): AsyncGenerator<T> {
  yield item;
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

function innermost(error: Error): unknown {
  return error.cause instanceof Error && !(error.cause instanceof BowireError)
    ? innermost(error.cause)
    : error.cause;
}

function endOf(
  code: number,
  message: string,
  { header, trailer }: { header: Headers; trailer: Headers },
): WireEnd {
  return {
    code,
    message,
    headers: Object.fromEntries(header),
    trailers: Object.fromEntries(trailer),
  };
}

/** The details of an error as `google.rpc.Status`, in which gRPC carries them. */
function detailsOf({ code, rawMessage, details }: ConnectError): Pick<WireEnd, "details"> {
  const known = details.flatMap((detail) =>
    "type" in detail
      ? [{ typeUrl: `type.googleapis.com/${detail.type}`, value: new Uint8Array(detail.value) }]
      : []
  );
  if (known.length === 0) return {};
  return { details: writeStatus({ code, message: rawMessage, details: known }) };
}

function tooLarge({ target }: Endpoint): BowireError {
  return new BowireError(
    "too_large",
    `a message of ${place(target)} is larger than ${MAX_MESSAGE_BYTES} bytes`,
    { hint: "ask for less: a filter, a page size" },
  );
}
