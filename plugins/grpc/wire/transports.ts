/**
 * The transports of @connectrpc/connect over this program's guarded ways out: gRPC over HTTP/2
 * connections that are kept, gRPC-Web and Connect over the HTTP of the context.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import type { UniversalClientFn, UniversalClientResponse } from "@connectrpc/connect/protocol";
import { BowireError } from "../../../lib/errors/mod.ts";
import { type CallContext, place, refuseTls } from "../../../lib/protocol/mod.ts";
import { compressions } from "./compression.ts";
import type { Endpoint, Variant } from "./endpoint.ts";
import { send } from "./http2/client.ts";
import type { Connections } from "./http2/connections.ts";
import { MAX_MESSAGE_BYTES, wrapEnvelopes, WRAPPING_BYTES, wrapWhole } from "./wrap.ts";

/** What frames the messages of each variant; a call needs one. */
const LOAD = {
  grpc: () => import("@connectrpc/connect/protocol-grpc"),
  web: () => import("@connectrpc/connect/protocol-grpc-web"),
  connect: () => import("@connectrpc/connect/protocol-connect"),
} satisfies Record<Variant, unknown>;

/** How a call gets to its server. */
export interface Ways {
  readonly connections: Connections;
  readonly context: CallContext;
  /** Hears the headers of the answer. */
  readonly onHeader: (header: Headers) => void;
}

/** What a transport is made for. */
export interface TransportCall {
  readonly endpoint: Endpoint;
  readonly keepsOpen: boolean;
  readonly method: DescMethod;
}

/**
 * The transport for one call.
 *
 * @throws {BowireError} `invalid_argument` when the call asks for what its variant cannot do.
 */
export async function transportFor(
  { endpoint, keepsOpen, method }: TransportCall,
  { connections, context, onHeader }: Ways,
): Promise<Transport> {
  const { target, prefix, variant, compression } = endpoint;
  const sendCompression = compressions.find(({ name }) => name === compression) ?? null;
  if (variant !== "grpc") checkForHttp(endpoint, keepsOpen);
  const client = variant === "grpc"
    ? overHttp2({ endpoint, method }, connections, context)
    : overHttp(endpoint, context);
  const { createTransport } = await LOAD[variant]();
  return createTransport({
    async httpClient(request) {
      const answer = await client(request);
      onHeader(answer.header);
      return { ...answer, body: wrapAnswer(answer, { variant, method }) };
    },
    baseUrl: target.origin + prefix,
    useBinaryFormat: true,
    interceptors: [],
    acceptCompression: [...compressions],
    sendCompression,
    compressMinBytes: 0,
    readMaxBytes: MAX_MESSAGE_BYTES + WRAPPING_BYTES,
    writeMaxBytes: 0xffff_ffff,
  });
}

/** The messages of an answer wrapped, and what is none left as it is. */
function wrapAnswer(
  { status, header, body }: UniversalClientResponse,
  { variant, method }: { variant: Variant; method: DescMethod },
): AsyncIterable<Uint8Array> {
  if (status !== 200) return body;
  if (variant === "connect" && method.methodKind === "unary") {
    header.delete("content-length"); // of the message alone
    return wrapWhole(body);
  }
  const encoding = header.get("grpc-encoding") ?? header.get("connect-content-encoding");
  return wrapEnvelopes(body, encoding);
}

function checkForHttp({ variant, authority, tls }: Endpoint, keepsOpen: boolean): void {
  if (keepsOpen) {
    throw new BowireError("invalid_argument", `cannot keep a stream open over ${variant}`, {
      hint: "end the request after its last message: halfClose, or --half-close",
    });
  }
  if (authority !== undefined) {
    throw new BowireError("invalid_argument", `cannot use ":authority" over ${variant}`, {
      hint: "only gRPC over HTTP/2 can name another authority",
    });
  }
  if (tls.allowSelfSigned && tls.caCertificate === undefined) {
    refuseTls("gRPC-Web and Connect cannot pass over a certificate: give its caCertificate");
  }
}

function overHttp2(
  { endpoint, method }: Pick<TransportCall, "endpoint" | "method">,
  connections: Connections,
  context: CallContext,
): UniversalClientFn {
  const authority = endpoint.authority ?? new URL(endpoint.target.url).host;
  const isStream = method.methodKind.endsWith("streaming") &&
    method.methodKind !== "client_streaming";
  return async (request) => {
    const lease = await connections.take(endpoint, { isExclusive: isStream, context });
    return await send(lease, authority, request);
  };
}

function overHttp({ target, tls }: Endpoint, context: CallContext): UniversalClientFn {
  return async ({ url, method, header: sent, body: request }) => {
    const { status, headers, body } = await context.open(context.admit(url, place(target)), {
      method,
      headers: [...sent],
      tls,
      ...(request === undefined ? {} : { body: await join(request) }),
      maxRedirects: 0,
    });
    if (status === 505) {
      const message = "the server takes this call over HTTP/2 only, and was asked over HTTP/1.1";
      throw new ConnectError(message, Code.Unimplemented);
    }
    const header = new Headers(headers.map(([name, value]): [string, string] => [name, value]));
    // The runtime has taken this encoding off, and left the headers as they were.
    if (/^(?:gzip|br)$/.test(header.get("content-encoding") ?? "")) {
      header.delete("content-encoding");
      header.delete("content-length");
    }
    return { status, header, body, trailer: new Headers() };
  };
}

/** All messages are known before a call begins, so a request is one body. */
async function join(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const pieces = await Array.fromAsync(body, (piece) => new Uint8Array(piece));
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}
