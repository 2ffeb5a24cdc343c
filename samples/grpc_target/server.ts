/**
 * A small harbour office: a gRPC API to explore, which describes itself by server reflection.
 *
 * @module
 */
import { openBooks } from "./books.ts";
import { readDescriptors, serviceOf } from "./descriptors.ts";
import { reflect, reflectionService, type ReflectionVersion } from "./reflection.ts";
import { type Answer, startServer, type Texts } from "./grpc_server.ts";
import { answersOf } from "./serve_json.ts";
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
  /** What serves its calls. @default HTTP/2 of this process */
  readonly start?: typeof startServer;
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
  const answers = new Map<string, Answer>();
  const handlers = { ...shipHandlers(books), ...trafficHandlers(books) };
  const common = { descriptors, headersFor, trailers: { "x-tide": "high" } };
  const onCount = (change: number) => counter.add(change);
  for (
    const [path, answer] of answersOf(serviceOf(descriptors, HARBOUR), handlers, {
      ...common,
      onCount,
    })
  ) answers.set(path, answer);
  const reflections = (options.reflection ?? ["v1", "v1alpha"]).map(reflectionService);
  const source = { descriptors, services: [HARBOUR, ...reflections] };
  for (const name of reflections) {
    const handlers = { ServerReflectionInfo: reflect(source) };
    const service = serviceOf(descriptors, name);
    for (const [path, answer] of answersOf(service, handlers, { descriptors })) {
      answers.set(path, answer);
    }
  }
  const { port = 0, tls, start = startServer } = options;
  const find = (path: string) => answers.get(path);
  const server = await start({ find, paths: [...answers.keys()], port, tls });
  return {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${server.port}`,
    port: server.port,
    openStreams: () => counter.value,
    untilOpen: (count) => counter.until(count),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await counter.until(0);
    },
  };
}

function headersFor({ "x-request-id": id }: Texts): Texts {
  return { "x-office": "Nordhavn", ...(id === undefined ? {} : { "x-request-id": id }) };
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
