/**
 * The dialer that keeps plugins behind Deno's own net permission. One worker runs them all; when the
 * allowlist has grown, a successor with the longer list takes the new calls, and the old one ends
 * with its last call.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Allowlist, Target } from "../gate/mod.ts";
import type { FrameStream, Invocation, MethodSchema } from "../model/mod.ts";
import {
  type Call,
  type DescribeAllRequest,
  type DescribeRequest,
  type Dialer,
  type Discovered,
  type DiscoverRequest,
  lookupHost,
  type Means,
  type ProtocolManifest,
  type SchemaRead,
  type SchemaRequest,
  type Scope,
} from "../protocol/mod.ts";
import { AllowedFiles } from "../store/mod.ts";
import type { Favour, Order, Question } from "./border.ts";
import { DialerWorker } from "./dialer_worker.ts";
import { NetGrant } from "./net_grant.ts";
import type { PulseLimits } from "./pulse.ts";

const NO_FILES = new AllowedFiles([]);

/** What a {@linkcode Sandbox} is made of. */
export interface SandboxParts extends Means {
  readonly allowlist: Allowlist;
  /** The module that calls `serveDialer`. */
  readonly module: URL;
  readonly limits?: PulseLimits;
}

/** The worker that gets new calls. */
interface Present {
  readonly worker: DialerWorker;
  /** How many pairs Deno lets it reach. */
  readonly pairs: number;
  /** How many entries the gate inside has. */
  entries: number;
  isStarting: boolean;
}

/** Runs protocols in a worker, which the first call starts. */
export class Sandbox implements Dialer {
  readonly #parts: SandboxParts;
  readonly #grant: NetGrant;
  readonly #workers = new Set<DialerWorker>();
  #present: Present | undefined;
  #isClosed = false;
  /** Files are read one at a time, however many are asked for. */
  #lastRead: Promise<unknown> = Promise.resolve();

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.#grant = new NetGrant(parts.allowlist);
  }

  /** How many workers there are: one, and those that still have calls from before it. */
  get workers(): number {
    return this.#workers.size;
  }

  // What a worker answers is what the same method gives inside it.

  async discover(
    protocol: ProtocolManifest,
    { target, ...request }: DiscoverRequest,
    scope: Scope,
  ): Promise<Discovered> {
    const question = { operation: "discover", request } as const;
    return await this.#run(orderOf(question, { protocol, target, scope }), scope) as Discovered;
  }

  async invoke(
    protocol: ProtocolManifest,
    { target, ...request }: Call,
    scope: Scope,
  ): Promise<Invocation> {
    const question = { operation: "invoke", request } as const;
    return await this.#run(orderOf(question, { protocol, target, scope }), scope) as Invocation;
  }

  async describe(
    protocol: ProtocolManifest,
    { target, ...request }: DescribeRequest,
    scope: Scope,
  ): Promise<MethodSchema | undefined> {
    const question = { operation: "describe", request } as const;
    const schema = await this.#run(orderOf(question, { protocol, target, scope }), scope);
    return schema as MethodSchema | undefined;
  }

  async describeAll(
    protocol: ProtocolManifest,
    { target, ...request }: DescribeAllRequest,
    scope: Scope,
  ): Promise<readonly (MethodSchema | undefined)[]> {
    const question = { operation: "describeAll", request } as const;
    const schemas = await this.#run(orderOf(question, { protocol, target, scope }), scope);
    return schemas as readonly (MethodSchema | undefined)[];
  }

  async readSchema(
    protocol: ProtocolManifest,
    { target, ...request }: SchemaRequest,
    scope: Scope,
  ): Promise<SchemaRead> {
    const question = { operation: "readSchema", request } as const;
    return await this.#run(orderOf(question, { protocol, target, scope }), scope) as SchemaRead;
  }

  async *subscribe(
    protocol: ProtocolManifest,
    { target, ...request }: Call,
    scope: Scope,
  ): FrameStream {
    const question = { operation: "subscribe", request } as const;
    const worker = await this.#workerFor(scope);
    return yield* worker.stream(orderOf(question, { protocol, target, scope }), scope);
  }

  /** Ends all workers. What runs fails as cancelled. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  async #run(order: Order, scope: Scope): Promise<unknown> {
    return await (await this.#workerFor(scope)).run(order, scope);
  }

  /** The worker for a new call: the present one, unless the list of what it may reach has grown. */
  async #workerFor({ limit }: Scope): Promise<DialerWorker> {
    // One at a time, however fast the list grows.
    while (this.#present?.isStarting === true) await this.#present.worker.ready;
    limit.throwIfAborted(); // in the meantime
    if (this.#isClosed) throw new BowireError("cancelled", "cannot call: this Bowire was closed");
    const { allowlist } = this.#parts;
    const pairs = this.#grant.pairs;
    if (this.#present === undefined || this.#present.pairs < pairs.length) {
      this.#present?.worker.retire();
      this.#present = this.#start(pairs);
    }
    const present = this.#present;
    if (present.entries < allowlist.size || present.isStarting) {
      const urls = allowlist.entries.slice(present.entries).map(({ url }) => url);
      present.worker.allow(urls, allowlist.allowsArbitraryUrls);
      present.entries += urls.length;
    }
    return present.worker;
  }

  #start(pairs: readonly string[]): Present {
    const { module, limits, allowlist } = this.#parts;
    const worker = new DialerWorker({
      module,
      limits,
      net: allowlist.allowsArbitraryUrls ? "inherit" : pairs,
      grant: (favour, argument) => this.#favour(favour, argument),
      onUnfit: () => {
        if (this.#present?.worker === worker) this.#present = undefined;
      },
      onEnd: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    const present = { worker, pairs: pairs.length, entries: 0, isStarting: true };
    worker.ready.then(() => present.isStarting = false);
    return present;
  }

  async #favour(favour: Favour, argument: string): Promise<unknown> {
    const { files = NO_FILES, loadSchema, lookup = lookupHost, allowlist } = this.#parts;
    switch (favour) {
      case "readFile":
        return await this.#inTurn(() => files.read(argument));
      case "listFiles":
        return await this.#inTurn(() => files.list(argument));
      case "loadSchema":
        return await this.#inTurn(async () => await loadSchema?.(argument));
      case "lookup":
        // A name can carry a message to whoever answers for it.
        return allowlist.names(argument) ? await lookup(argument) : undefined;
    }
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const reading = this.#lastRead.then(read);
    this.#lastRead = reading.catch(() => {}); // heard by who asked for it
    return await reading;
  }
}

/** One call as it crosses the border. */
function orderOf(
  question: Question,
  { protocol, target, scope }: { protocol: ProtocolManifest; target: Target; scope: Scope },
): Order {
  return {
    ...question,
    protocol: protocol.id,
    url: target.hint === undefined ? target.url : `${target.hint}@${target.url}`,
    timeoutMs: scope.timeoutMs,
    maxTimeoutMs: scope.maxTimeoutMs,
    startedAtMs: Date.now() - (performance.now() - scope.startedMs),
    ambient: scope.ambient,
    schemas: scope.schemas ?? [],
  };
}
