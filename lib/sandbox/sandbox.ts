/**
 * The dialer that keeps plugins behind Deno's own net permission. One worker runs them all; when the
 * allowlist has grown, a successor with the longer list takes the new calls, and the old one ends
 * with its last call.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Allowlist, Target } from "../gate/mod.ts";
import type { Frame, Invocation, MethodSchema } from "../model/mod.ts";
import {
  type Call,
  type ContextOptions,
  type DescribeRequest,
  type Dialer,
  type Discovered,
  type DiscoverRequest,
  lookupHost,
  type ProtocolManifest,
  type Scope,
} from "../protocol/mod.ts";
import { AllowedFiles } from "../store/mod.ts";
import type { Favour, Order, Question } from "./border.ts";
import { DialerWorker } from "./dialer_worker.ts";
import { NetGrant } from "./net_grant.ts";
import type { PulseLimits } from "./pulse.ts";

const NO_FILES = new AllowedFiles([]);

/** What a {@linkcode Sandbox} is made of. */
export interface SandboxParts {
  readonly allowlist: Allowlist;
  /** The module that calls `serveDialer`. */
  readonly module: URL;
  /** The files that may be sent. @default none */
  readonly files?: ContextOptions["files"];
  /** Resolves the names of targets. @default the system's resolver */
  readonly lookup?: ContextOptions["lookup"];
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
    const order = orderOf({ operation: "discover", request }, { protocol, target, scope });
    return await (await this.#worker()).run(order, scope) as Discovered;
  }

  async invoke(
    protocol: ProtocolManifest,
    { target, ...request }: Call,
    scope: Scope,
  ): Promise<Invocation> {
    const order = orderOf({ operation: "invoke", request }, { protocol, target, scope });
    return await (await this.#worker()).run(order, scope) as Invocation;
  }

  async describe(
    protocol: ProtocolManifest,
    { target, ...request }: DescribeRequest,
    scope: Scope,
  ): Promise<MethodSchema | undefined> {
    const order = orderOf({ operation: "describe", request }, { protocol, target, scope });
    return await (await this.#worker()).run(order, scope) as MethodSchema | undefined;
  }

  async *subscribe(
    protocol: ProtocolManifest,
    { target, ...request }: Call,
    scope: Scope,
  ): AsyncGenerator<Frame, void, undefined> {
    const order = orderOf({ operation: "subscribe", request }, { protocol, target, scope });
    yield* (await this.#worker()).stream(order, scope);
  }

  /** Ends all workers. What runs fails as cancelled. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const worker of [...this.#workers]) worker.stop();
    return Promise.resolve();
  }

  /** The worker for a new call: the present one, unless the list of what it may reach has grown. */
  async #worker(): Promise<DialerWorker> {
    // One at a time, however fast the list grows.
    while (this.#present?.isStarting === true) await this.#present.worker.ready;
    if (this.#isClosed) throw new BowireError("cancelled", "cannot call: this Bowire was closed");
    const { entries, allowsArbitraryUrls } = this.#parts.allowlist;
    const pairs = this.#grant.pairs;
    if (this.#present === undefined || this.#present.pairs < pairs.length) {
      this.#present?.worker.retire();
      this.#present = this.#start(pairs);
    }
    const present = this.#present;
    if (present.entries < entries.length || present.isStarting) {
      const urls = entries.slice(present.entries).map(({ url }) => url);
      present.worker.allow(urls, allowsArbitraryUrls);
      present.entries = entries.length;
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
    const { files = NO_FILES, lookup = lookupHost, allowlist } = this.#parts;
    if (favour === "readFile") return await files.read(argument);
    // A name can carry a message to whoever answers for it.
    return allowlist.names(argument) ? await lookup(argument) : undefined;
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
    startedAtMs: performance.timeOrigin + scope.startedMs,
    ambient: scope.ambient,
  };
}
