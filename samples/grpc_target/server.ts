/**
 * A small harbour office: a gRPC API to explore, which describes itself by server reflection.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import { openBooks } from "./books.ts";
import { readDescriptors, serviceOf } from "./descriptors.ts";
import { reflect, reflectionService, type ReflectionVersion } from "./reflection.ts";
import { addService } from "./serve_json.ts";
import { shipHandlers } from "./ships.ts";
import { trafficHandlers } from "./traffic.ts";

const HARBOUR = "harbour.v1.Harbour";

/** The certificate of a server, and whom it lets in. All are PEM. */
export interface HarbourTls {
  readonly certificate: string;
  readonly privateKey: string;
  /** Who signs the certificates that clients have to show; without it they show none. */
  readonly clientCa?: string;
}

/** What can be set on a harbour. */
export interface HarbourOptions {
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Plain text without it. */
  readonly tls?: HarbourTls;
  /** The versions of reflection that it serves. @default both */
  readonly reflection?: readonly ReflectionVersion[];
}

/** A running harbour; disposing it ends its calls and the listener. */
export interface Harbour extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, with TLS `https://`. */
  readonly url: string;
  readonly port: number;
  /** How many calls of the harbour, unary ones too, are open at the server. */
  openStreams(): number;
  /** Settles as soon as {@linkcode openStreams} is what is waited for. */
  untilOpen(count: number): Promise<void>;
}

/**
 * Starts a harbour with fresh books on 127.0.0.1. Each answer has the header `x-office` and, when
 * the call has one, its `x-request-id`; each that succeeds has the trailer `x-tide`.
 *
 * @throws {Error} when the port is taken or the certificate cannot be used.
 */
export async function startHarbour(options: HarbourOptions = {}): Promise<Harbour> {
  const descriptors = await readDescriptors();
  const books = openBooks();
  const counter = new Counter();
  const server = new Server();
  const trailers = new Metadata();
  trailers.set("x-tide", "high");
  const handlers = { ...shipHandlers(books), ...trafficHandlers(books) };
  addService(server, serviceOf(descriptors, HARBOUR), handlers, {
    descriptors,
    headersFor,
    trailers,
    onCount: (change) => counter.add(change),
  });
  const reflections = (options.reflection ?? ["v1", "v1alpha"]).map(reflectionService);
  const source = { descriptors, services: [HARBOUR, ...reflections] };
  for (const name of reflections) {
    const handlers = { ServerReflectionInfo: reflect(source) };
    addService(server, serviceOf(descriptors, name), handlers, { descriptors });
  }
  const port = await listen(server, options);
  return {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    openStreams: () => counter.value,
    untilOpen: (count) => counter.until(count),
    async [Symbol.asyncDispose]() {
      server.forceShutdown();
      await counter.until(0);
    },
  };
}

function headersFor(request: Metadata): Metadata {
  const headers = new Metadata();
  headers.set("x-office", "Nordhavn");
  for (const id of request.get("x-request-id")) headers.add("x-request-id", id);
  return headers;
}

function listen(server: Server, { port = 0, tls }: HarbourOptions): Promise<number> {
  const credentials = tls === undefined ? ServerCredentials.createInsecure() : secure(tls);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.bindAsync(`127.0.0.1:${port}`, credentials, (error, bound) => {
    if (error === null) resolve(bound);
    else reject(error);
  });
  return promise;
}

function secure({ certificate, privateKey, clientCa }: HarbourTls): ServerCredentials {
  // grpc-js would else offer every authority of the system, more than a handshake of Deno's holds.
  const ca = Buffer.from(clientCa ?? certificate);
  const pair = { cert_chain: Buffer.from(certificate), private_key: Buffer.from(privateKey) };
  return ServerCredentials.createSsl(ca, [pair], clientCa !== undefined);
}

/** A number that can be waited for. */
class Counter {
  #value = 0;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  get value(): number {
    return this.#value;
  }

  add(change: number): void {
    this.#value += change;
    const isReached = ({ count }: { count: number }) => count === this.#value;
    for (const { resolve } of this.#waiting.filter(isReached)) resolve();
    this.#waiting = this.#waiting.filter((waiting) => !isReached(waiting));
  }

  until(count: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (count === this.#value) resolve();
    else this.#waiting.push({ count, resolve });
    return promise;
  }
}
