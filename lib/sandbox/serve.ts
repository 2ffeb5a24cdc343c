/**
 * The worker's side of the border.
 *
 * @module
 */
import "./confine.ts";
import "./harden.ts";
import { Allowlist, redactText } from "../gate/mod.ts";
import type { FrameStream, TargetAnswer } from "../model/mod.ts";
import { LocalDialer, type NamedFile, type Plugin, Registry, type Scope } from "../protocol/mod.ts";
import {
  type Favour,
  type Inbound,
  type Order,
  type Outbound,
  type Outcome,
  outcomeOf,
  type Request,
  textOf,
  toPlainError,
  unwrap,
} from "./border.ts";
import { SentValues } from "./memo.ts";

/** The global scope of a worker, which this project's types know only as that of a main thread. */
interface WorkerScope {
  postMessage(message: Outbound): void;
  addEventListener(type: "message", listen: (event: MessageEvent<Inbound>) => void): void;
}

const border = globalThis as unknown as WorkerScope;

/** A call that has not ended. */
interface Running {
  readonly controller: AbortController;
  /** Of a subscription. */
  readonly frames?: FrameStream;
}

/** What the first message brings, which comes before any call. */
interface Gate {
  readonly allowlist: Allowlist;
  readonly dialer: LocalDialer;
}

/**
 * Serves calls to the plugins until the worker is ended. Call it once, in a worker's module.
 *
 * @param plugins those of the main thread, whose code is loaded here.
 */
export function serveDialer(plugins: readonly Plugin[]): void {
  const server = new Server(plugins);
  border.addEventListener("message", ({ data }) => server.hear(data));
  // Both are told to the main thread in place of Deno, which prints all that they say.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault(); // one plugin's slip must not end the calls of all
    send({ kind: "uncaught", text: redactText(textOf(event.reason)), isFatal: false });
  });
  addEventListener("error", (event) => {
    event.preventDefault();
    send({ kind: "uncaught", text: redactText(textOf(event.error)), isFatal: true });
  });
  send({ kind: "ready" });
}

/** Takes calls, and asks the main thread for what it may not do itself. */
class Server {
  readonly #registry: Registry;
  readonly #running = new Map<number, Running>();
  readonly #asked = new Map<number, (outcome: Outcome) => void>();
  #sent = new SentValues();
  #gate: Gate | undefined;
  #nextFavour = 1;

  constructor(plugins: readonly Plugin[]) {
    this.#registry = new Registry(plugins);
  }

  hear(message: Inbound): void {
    switch (message.kind) {
      case "allow":
        this.#gate ??= this.#openGate(message.arbitrary);
        return this.#gate.allowlist.seed(message.urls, "option");
      case "call":
        return void this.#take(message.id, message.order);
      case "more":
        return void this.#next(message.id);
      case "abort":
        return void this.#abort(message.id);
      case "answer":
        return this.#asked.get(message.id)?.(message.outcome);
      case "ping": {
        const { heapUsed, external } = Deno.memoryUsage();
        return send({ kind: "pong", memoryBytes: heapUsed + external });
      }
      case "close":
        return void this.#close();
    }
  }

  #openGate(allowArbitraryUrls: boolean): Gate {
    const allowlist = new Allowlist({ allowArbitraryUrls });
    const dialer = new LocalDialer(allowlist, this.#registry, {
      // The main thread's own answers, which are of these types.
      files: {
        read: async (path) => await this.#do("readFile", path) as NamedFile,
        list: async (folder) => await this.#do("listFiles", folder) as readonly string[],
      },
      loadSchema: async (id) => await this.#do("loadSchema", id) as Uint8Array<ArrayBuffer>,
      lookup: async (host) => await this.#do("lookup", host) as readonly string[] | undefined,
    });
    return { allowlist, dialer };
  }

  async #take(id: number, order: Order): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, { controller });
    const outcome = await outcomeOf(() => this.#run(id, order, controller));
    // A subscription that began well goes on until its frames are used up.
    if (order.operation !== "subscribe" || "error" in outcome) this.#done(id, outcome);
  }

  async #run(id: number, order: Order, controller: AbortController): Promise<unknown> {
    if (this.#gate === undefined) throw new Error("a call came before the allowlist");
    const { allowlist, dialer } = this.#gate;
    const protocol = this.#registry.find(order.protocol);
    const target = allowlist.admit(order.url);
    const scope: Scope = {
      ...scopeOf(id, order, controller.signal),
      // The person's own words, as the main thread has them.
      onQuestion: async (question) =>
        await this.#ask({ favour: "question", call: id, question }) as TargetAnswer,
    };
    switch (order.operation) {
      case "discover":
        return await dialer.discover(protocol, { ...order.request, target }, scope);
      case "describe":
        return await dialer.describe(protocol, { ...order.request, target }, scope);
      case "describeAll":
        return await dialer.describeAll(protocol, { ...order.request, target }, scope);
      case "invoke":
        return await dialer.invoke(protocol, { ...order.request, target }, scope);
      case "readSchema":
        return await dialer.readSchema(protocol, { ...order.request, target }, scope);
      case "subscribe": {
        const frames = dialer.subscribe(protocol, { ...order.request, target }, scope);
        this.#running.set(id, { controller, frames });
        return undefined;
      }
    }
  }

  async #next(id: number): Promise<void> {
    const frames = this.#running.get(id)?.frames;
    if (frames === undefined) return;
    let isOver = true;
    const outcome = await outcomeOf(async () => {
      const { done, value } = await frames.next();
      if (done === true) return value;
      isOver = false;
      send({ kind: "frame", id, frame: value });
    });
    if (isOver || "error" in outcome) this.#done(id, outcome);
  }

  async #abort(id: number): Promise<void> {
    const running = this.#running.get(id);
    running?.controller.abort();
    if (running?.frames === undefined) return;
    const outcome = await outcomeOf(async () => void await running.frames?.return(undefined));
    this.#done(id, outcome);
  }

  #done(id: number, outcome: Outcome): void {
    if (!this.#running.delete(id)) return;
    try {
      send({ kind: "done", id, ...this.#sent.pack(outcome) });
    } catch (thrown) { // the plugin gave what is no plain data, and it was not sent
      this.#sent = new SentValues();
      send({ kind: "done", id, outcome: { error: toPlainError(thrown) } });
    }
  }

  async #close(): Promise<void> {
    await this.#gate?.dialer[Symbol.asyncDispose]();
    send({ kind: "closed" });
  }

  #do(favour: Favour, argument: string): Promise<unknown> {
    return this.#ask({ favour, argument });
  }

  async #ask(request: Request): Promise<unknown> {
    const id = this.#nextFavour++;
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#asked.set(id, resolve);
    send({ kind: "ask", id, ...request });
    const outcome = await promise;
    this.#asked.delete(id);
    return unwrap(outcome);
  }
}

function scopeOf(id: number, order: Order, signal: AbortSignal): Scope {
  return {
    signal,
    limit: signal,
    timeoutMs: order.timeoutMs,
    maxTimeoutMs: order.maxTimeoutMs,
    startedMs: performance.now() - (Date.now() - order.startedAtMs),
    ambient: order.ambient,
    schemas: order.schemas,
    onProgress: (progress) => send({ kind: "progress", id, progress }),
  };
}

function send(message: Outbound): void {
  border.postMessage(message);
}
