/**
 * The waist: every discovery and every call of every face goes through a {@linkcode Caller}.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, redactUrl, type Target } from "../gate/mod.ts";
import type { Discovery, MethodSchema } from "../model/mod.ts";
import {
  abortError,
  type Call,
  type CallContext,
  createContext,
  DEFAULT_TIMEOUT_MS,
  type ProtocolManifest,
  type Registry,
} from "../protocol/mod.ts";
import { untilAborted } from "./abandon.ts";
import { DEFAULT_DISCOVERY_TIMEOUT_MS, discover, type DiscoverOptions } from "./discover.ts";
import type {
  CallEvent,
  DescribeRequest,
  Invoked,
  InvokeRequest,
  Surroundings,
} from "./requests.ts";

/** Longest memory of which protocol serves which service. */
const MAX_REMEMBERED = 10_000;

/** Runs protocols against admitted targets and narrates what happens. */
export class Caller {
  readonly #allowlist: Allowlist;
  readonly #registry: Registry;
  readonly #surroundings: Surroundings;
  readonly #listeners = new Set<(event: CallEvent) => void>();
  readonly #protocolOf = new Map<string, string>();

  constructor(allowlist: Allowlist, registry: Registry, surroundings: Surroundings = {}) {
    this.#allowlist = allowlist;
    this.#registry = registry;
    this.#surroundings = surroundings;
  }

  /** Calls `listener` for each event; the returned function stops that. */
  observe(listener: (event: CallEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Lists what a URL offers.
   *
   * @throws {BowireError} when the URL is refused or no protocol can be tried. A target that
   * offers nothing is a result, with the reason in its attempts.
   */
  async discover(
    url: string,
    options: DiscoverOptions & { signal: AbortSignal },
  ): Promise<Discovery> {
    const target = this.#allowlist.admit(url);
    const { signal, timeoutMs = DEFAULT_DISCOVERY_TIMEOUT_MS } = options;
    const context = await this.#contextFor(signal, timeoutMs);
    const discovery = await discover(
      { registry: this.#registry, context, signal },
      target,
      options,
    );
    if (this.#protocolOf.size > MAX_REMEMBERED) this.#protocolOf.clear();
    for (const { name, source } of discovery.services) {
      this.#protocolOf.set(keyOf(target, name), source);
    }
    return discovery;
  }

  /**
   * Makes one unary call.
   *
   * @throws {BowireError} when the URL is refused, nothing serves the service or method, the
   * arguments do not fit, or the target cannot be reached in time.
   */
  async invoke(request: InvokeRequest, signal: AbortSignal): Promise<Invoked> {
    const target = this.#allowlist.admit(request.url);
    const { service, method, messages, metadata = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const validate = request.validate ?? true;
    const call: Call = { target, service, method, messages, metadata, validate };
    return await this.#within(
      target,
      { signal, timeoutMs },
      (context) => this.#run(call, request, context),
    );
  }

  /**
   * The schema of one method; `undefined` when its protocol has none beyond what discovery shows.
   *
   * @throws {BowireError} as {@linkcode invoke} does, arguments aside.
   */
  async describe(
    request: DescribeRequest,
    signal: AbortSignal,
  ): Promise<MethodSchema | undefined> {
    const target = this.#allowlist.admit(request.url);
    const { service, method, metadata = {} } = request;
    const timeoutMs = request.timeoutMs ?? DEFAULT_DISCOVERY_TIMEOUT_MS;
    return await this.#within(target, { signal, timeoutMs }, async (context) => {
      const protocol = await this.#registry.load(
        await this.#choose(target, request, context.signal),
      );
      return await protocol.describe?.({ target, service, method, metadata }, context);
    });
  }

  /** Runs an action under a time limit; the first of limit and caller to end it is named. */
  async #within<T>(
    target: Target,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
    action: (context: CallContext) => Promise<T>,
  ): Promise<T> {
    const context = await this.#contextFor(signal, timeoutMs);
    try {
      return await untilAborted(() => action(context), context.signal);
    } catch (error) {
      if (error instanceof BowireError || !context.signal.aborted) throw error;
      throw abortError(target, signal, timeoutMs);
    }
  }

  async #contextFor(signal: AbortSignal, timeoutMs: number): Promise<CallContext> {
    const { ambient, files } = this.#surroundings;
    return createContext(this.#allowlist, signal, { timeoutMs, ambient: await ambient?.(), files });
  }

  async #run(call: Call, request: InvokeRequest, context: CallContext): Promise<Invoked> {
    const manifest = await this.#choose(call.target, request, context.signal);
    const protocol = await this.#registry.load(manifest);
    this.#narrate({ kind: "resolved", protocol: manifest.id, call });
    try {
      const invocation = await protocol.invoke(call, context);
      this.#narrate({ kind: "done", protocol: manifest.id, call, invocation });
      return { protocol: manifest.id, invocation };
    } catch (error) {
      this.#narrate({ kind: "failed", protocol: manifest.id, call, error });
      throw error;
    }
  }

  /** The named protocol, else the hinted one, else the one that was found to have the service. */
  async #choose(
    target: Target,
    request: DescribeRequest,
    signal: AbortSignal,
  ): Promise<ProtocolManifest> {
    if (request.protocol !== undefined) return this.#registry.find(request.protocol);
    const claimants = this.#registry.claimants(target);
    const [first] = claimants;
    if (first !== undefined && claimants.length === 1) return first;
    const key = keyOf(target, request.service);
    if (!this.#protocolOf.has(key)) {
      await this.discover(target.url, { signal, metadata: request.metadata });
    }
    const known = this.#protocolOf.get(key);
    if (known !== undefined) return this.#registry.find(known);
    throw new BowireError(
      "unknown_service",
      `cannot call "${request.service}/${request.method}": no protocol found that service at "${
        redactUrl(target.url)
      }"`,
      { hint: "bowire.discover lists the services; or name the protocol" },
    );
  }

  #narrate(event: CallEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function keyOf(target: Target, service: string): string {
  return `${target.url}\n${service}`;
}
