/**
 * One request on an HTTP/2 connection, as @connectrpc/connect asks for it: the body goes out while
 * the answer comes in, and trailers come last.
 *
 * @module
 */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
} from "node:http2";
import { Code, ConnectError, decodeBinaryHeader } from "@connectrpc/connect";
import type { UniversalClientRequest, UniversalClientResponse } from "@connectrpc/connect/protocol";
import { statusType } from "../../status/status_types.ts";
import type { Lease } from "./connections.ts";

/** Sends a request. The lease is given back when the answer has been read to its end, or dropped. */
export async function send(
  lease: Lease,
  authority: string,
  request: UniversalClientRequest,
): Promise<UniversalClientResponse> {
  const { url, method, header, body, signal } = request;
  const { protocol, pathname } = new URL(url);
  const { session } = lease;
  const stream = open(lease, {
    ":method": method,
    ":scheme": protocol.slice(0, -1),
    ":authority": authority,
    ":path": pathname,
    ...Object.fromEntries(header),
  });
  const exchange = new Exchange(stream, session);
  const abort = () => stream.close(constants.NGHTTP2_CANCEL);
  signal?.addEventListener("abort", abort, { once: true });
  stream.once("close", () => {
    signal?.removeEventListener("abort", abort);
    lease.release(exchange.isOver);
  });
  if (signal?.aborted === true) abort();
  if (body !== undefined) exchange.upload(body);
  return await exchange.answer();
}

function open(lease: Lease, headers: Readonly<Record<string, string>>): ClientHttp2Stream {
  const { session } = lease;
  try {
    if (session.closed || session.destroyed) throw lostConnection();
    return session.request(headers);
  } catch (error) {
    lease.release(false);
    throw error;
  }
}

/** Both directions of one stream. */
class Exchange {
  readonly #stream: ClientHttp2Stream;
  readonly #trailer = new Headers();
  readonly #head = Promise.withResolvers<IncomingHttpHeaders>();
  readonly #closed = Promise.withResolvers<ConnectError | undefined>();
  #hasTrailers = false;
  /** Whether the server has said its last word. */
  isOver = false;
  /** Whether all of the answer's body has come. */
  #isEnded = false;
  /** What the runtime says of a failure, when it says anything. */
  #failure: Error | undefined;
  /** Wakes whoever waits for more of it. */
  #wake = () => {};

  constructor(stream: ClientHttp2Stream, session: ClientHttp2Session) {
    this.#stream = stream;
    this.#head.promise.catch(() => {}); // heard by whoever asks for the answer
    stream.once("response", (headers) => {
      // An answer of trailers alone (gRPC over HTTP/2, "Responses").
      this.isOver = this.#hasTrailers = headers["grpc-status"] !== undefined;
      this.#head.resolve(headers);
    });
    stream.once("trailers", (trailers) => {
      for (const [name, value] of entriesOf(trailers)) this.#trailer.append(name, value);
      this.#hasTrailers = true;
      this.isOver = true;
    });
    stream.on("readable", () => this.#wake());
    stream.on("error", (error) => this.#failure = error); // `close` follows
    stream.once("end", () => {
      this.isOver = true;
      this.#end();
    });
    stream.once("close", () => {
      // Before the connection is given back, and may be closed for that.
      const isLost = session.closed || session.destroyed;
      const code = stream.rstCode ?? constants.NGHTTP2_NO_ERROR;
      const error = isLost ? lostConnection(this.#failure?.message) : resetError(code);
      this.#head.reject(error);
      this.#closed.resolve(isLost || code !== constants.NGHTTP2_NO_ERROR ? error : undefined);
      this.#end();
    });
  }

  #end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async answer(): Promise<UniversalClientResponse> {
    const headers = await this.#head.promise;
    return {
      status: Number(headers[":status"]),
      header: new Headers(entriesOf(headers)),
      body: this.#read(),
      trailer: this.#trailer,
    };
  }

  /** Sends the body, as fast as the server takes it. A server that answers early ends that. */
  async upload(body: AsyncIterable<Uint8Array>): Promise<void> {
    const stream = this.#stream;
    try {
      for await (const piece of body) {
        if (stream.closed || stream.destroyed) return;
        if (stream.write(piece)) continue;
        const drained = Promise.withResolvers<void>();
        stream.once("drain", drained.resolve).once("close", drained.resolve);
        await drained.promise;
      }
      stream.end();
    } catch {
      stream.close(constants.NGHTTP2_CANCEL); // whoever made the body knows why
    }
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const stream = this.#stream;
    try {
      while (true) {
        const piece: Uint8Array | null = stream.read();
        if (piece !== null) yield piece;
        else if (this.#isEnded) break;
        else await new Promise<void>((resolve) => this.#wake = resolve);
      }
      if (this.#hasTrailers) return;
      // An answer without trailers, or one that broke off.
      if (!stream.closed) stream.close(constants.NGHTTP2_NO_ERROR);
      const error = await this.#closed.promise;
      if (!this.#hasTrailers && error !== undefined) throw error;
    } finally {
      const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;
      if (!stream.closed) stream.close(this.#hasTrailers ? NGHTTP2_NO_ERROR : NGHTTP2_CANCEL);
    }
  }
}

function entriesOf(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith(":") || value === undefined) return [];
    if (name === "grpc-status-details-bin" && !isStatus(String(value))) return [];
    return [value].flat().map((text): [string, string] => [name, String(text)]);
  });
}

/** Whether details can be read. Those that cannot would hide what the server says in words. */
function isStatus(details: string): boolean {
  try {
    decodeBinaryHeader(details, statusType);
    return true;
  } catch {
    return false;
  }
}

/** What a code of HTTP/2 means (gRPC over HTTP/2, "HTTP2 Transport Mapping", "Errors"). */
const CODES: Readonly<Record<number, Code>> = {
  [constants.NGHTTP2_REFUSED_STREAM]: Code.Unavailable,
  [constants.NGHTTP2_CANCEL]: Code.Canceled,
  [constants.NGHTTP2_ENHANCE_YOUR_CALM]: Code.ResourceExhausted,
  [constants.NGHTTP2_INADEQUATE_SECURITY]: Code.PermissionDenied,
  [constants.NGHTTP2_NO_ERROR]: Code.Unavailable,
};

function resetError(code: number): ConnectError {
  const message = `the server reset the stream with HTTP/2 code ${code}`;
  return new ConnectError(message, CODES[code] ?? Code.Internal);
}

function lostConnection(
  reason = "the server closed it, or sent what HTTP/2 does not allow",
): ConnectError {
  return new ConnectError(`the connection was lost: ${reason}`, Code.Unavailable);
}
