/**
 * A small gRPC server on HTTP/2 of node (gRPC over HTTP/2): messages come in as bytes, messages go
 * out as bytes, a status ends the call.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { promisify } from "node:util";
import * as zlib from "node:zlib";

/** The status codes of gRPC, as far as anybody here uses them. */
export const Status = {
  OK: 0,
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
  DATA_LOSS: 15,
  UNAUTHENTICATED: 16,
} as const;

/** Names and values; those of `-bin` names are base64. */
export type Texts = Readonly<Record<string, string>>;

/** How a call ends. */
export interface Ending {
  /** @default OK */
  readonly code?: number;
  readonly message?: string;
  readonly trailers?: Texts;
}

/** One call at the server. */
export interface ServerCall {
  readonly metadata: Texts;
  /** Aborts when the client has given up. */
  readonly signal: AbortSignal;
  /** The messages of the client, until it has ended its side. */
  messages(): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Sends headers before the first message. */
  sendHeaders(headers: Texts): void;
  /** Sends one message, and settles when there is room for another. */
  send(message: Uint8Array): Promise<void>;
}

/** Answers one call; what it throws ends it with `INTERNAL`. */
export type Answer = (call: ServerCall) => Promise<Ending | void>;

/** What a server is made of. */
export interface ServerOptions {
  /** Who answers a path, `/package.Service/Method`. */
  readonly find: (path: string) => Answer | undefined;
  /** All the paths that it knows. */
  readonly paths: readonly string[];
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** All PEM. Clients show a certificate of `clientCa` when there is one. */
  readonly tls?: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly clientCa?: string;
  } | undefined;
}

/** A server that listens; disposing it breaks off its calls. */
export interface RunningServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts a server.
 *
 * @throws {Error} when the port is taken or the certificate cannot be used.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { find, port = 0, host = "127.0.0.1", tls } = options;
  const server: Http2Server = tls === undefined ? createServer() : createSecureServer({
    cert: tls.certificate,
    key: tls.privateKey,
    ...(tls.clientCa === undefined
      ? {}
      : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
  });
  const sessions = new Set<ServerHttp2Session>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {}).once("close", () => sessions.delete(session));
  });
  server.on("stream", (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    serve(stream, headers, find);
  });
  server.on("sessionError", () => {}); // a client that is gone
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen(port, host, resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

async function serve(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  find: ServerOptions["find"],
): Promise<void> {
  stream.on("error", () => {}); // `close` follows
  const answer = find(String(headers[":path"]));
  const call = new Call(stream, headers);
  if (answer === undefined) {
    return call.end({ code: Status.UNIMPLEMENTED, message: "nobody answers this path" });
  }
  try {
    call.end(await answer(call) ?? {});
  } catch (error) {
    call.end({ code: Status.INTERNAL, message: String(error) });
  }
}

const CONTENT_TYPE = { "content-type": "application/grpc" };
/** The flag of a compressed message, and the length of its message. */
const PREFIX_BYTES = 5;

class Call implements ServerCall {
  readonly metadata: Texts;
  readonly #stream: ServerHttp2Stream;
  readonly #gone = new AbortController();
  #headers: Texts | undefined = {};
  #ending: Ending | undefined;

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.#stream = stream;
    this.metadata = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    );
    stream.once("close", () => this.#ending === undefined && this.#gone.abort());
    stream.once("wantTrailers", () => {
      stream.sendTrailers(trailersOf(this.#ending ?? {}));
      stream.resume(); // the client may have more to say, which nobody hears
    });
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  async *messages(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    let rest = Buffer.alloc(0);
    for await (const piece of this.#stream.iterator({ destroyOnReturn: false })) {
      rest = Buffer.concat([rest, piece]);
      while (rest.length >= PREFIX_BYTES) {
        const end = PREFIX_BYTES + rest.readUInt32BE(1);
        if (rest.length < end) break;
        const message = rest.subarray(PREFIX_BYTES, end);
        const isCompressed = rest[0] === 1;
        rest = rest.subarray(end);
        yield isCompressed ? await this.#decompress(message) : new Uint8Array(message);
      }
    }
  }

  async #decompress(message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
    const inflate = this.metadata["grpc-encoding"] === "gzip" ? zlib.gunzip : zlib.inflate;
    return new Uint8Array(await promisify<Uint8Array, Uint8Array>(inflate)(message));
  }

  sendHeaders(headers: Texts): void {
    this.#headers = { ...this.#headers, ...headers };
    this.#respond();
  }

  async send(message: Uint8Array): Promise<void> {
    if (this.#gone.signal.aborted) return;
    this.#respond();
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.writeUInt32BE(message.length, 1);
    if (this.#stream.write(Buffer.concat([prefix, message]))) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stream.once("drain", resolve).once("close", resolve);
    await promise;
  }

  end(ending: Ending): void {
    if (this.#gone.signal.aborted || this.#stream.destroyed) return;
    this.#ending = ending;
    if (this.#headers === undefined || (ending.code ?? Status.OK) === Status.OK) {
      this.#respond();
      return void this.#stream.end();
    }
    // Nothing was sent: the headers are the trailers, too.
    const all = { ...CONTENT_TYPE, ...this.#headers, ...trailersOf(ending) };
    this.#stream.respond({ ":status": 200, ...all }, { endStream: true });
    this.#stream.resume();
  }

  #respond(): void {
    if (this.#headers === undefined) return;
    const all = { ":status": 200, ...CONTENT_TYPE, ...this.#headers };
    this.#headers = undefined;
    this.#stream.respond(all, { waitForTrailers: true });
  }
}

function trailersOf({ code = Status.OK, message = "", trailers = {} }: Ending): Texts {
  return {
    ...trailers,
    "grpc-status": String(code),
    ...(message === "" ? {} : { "grpc-message": encodeURIComponent(message) }),
  };
}
