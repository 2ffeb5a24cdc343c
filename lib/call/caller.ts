/**
 * The waist: every discovery and every call of every face goes through a {@linkcode Caller}.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, redactUrl, type Target } from "../gate/mod.ts";
import type { Discovery, Frame, MethodSchema, Progress } from "../model/mod.ts";
import {
  abortError,
  type Call,
  DEFAULT_TIMEOUT_MS,
  type Dialer,
  LocalDialer,
  type ProtocolManifest,
  type Registry,
  type Scope,
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
export class Caller implements AsyncDisposable {
  readonly #allowlist: Allowlist;
  readonly #registry: Registry;
  readonly #surroundings: Surroundings;
  readonly #listeners = new Set<(event: CallEvent) => void>();
  readonly #protocolOf = new Map<string, string>();
  #dialer: Dialer | undefined;

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
    const room = {
      registry: this.#registry,
      dialer: this.#openDialer(),
      scope: await this.#scopeOf(signal, timeoutMs),
    };
    const discovery = await discover(room, target, options);
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
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const call = callOf(target, request);
    return await this.#within(
      target,
      { signal, timeoutMs },
      (scope) => this.#run(call, request, scope),
    );
  }

  /**
   * Makes one call that is answered by a stream, and asks for each frame when it is wanted.
   *
   * @throws {BowireError} as {@linkcode invoke} does, before the first frame or after any; `timeout`
   * when its time is over.
   */
  async *subscribe(
    request: InvokeRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Frame, void, undefined> {
    const target = this.#allowlist.admit(request.url);
    const { timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const call = callOf(target, request);
    const within = <T>(scope: Scope, run: () => Promise<T>) => this.#guard(target, scope, run);
    const scope = await this.#scopeOf(signal, timeoutMs);
    const manifest = await within(scope, () => this.#choose(target, request, scope.limit));
    const facts = { protocol: manifest.id, call };
    this.#narrate({ kind: "resolved", ...facts });
    const frames = this.#openDialer().subscribe(manifest, call, this.#narrated(scope, facts));
    const iterator = frames[Symbol.asyncIterator]();
    try {
      while (true) {
        const { done, value: frame } = await within(scope, () => iterator.next());
        if (done === true) break;
        this.#narrate({ kind: "frame", ...facts, frame });
        yield frame;
      }
      this.#narrate({ kind: "ended", ...facts });
    } catch (error) {
      this.#narrate({ kind: "failed", ...facts, error });
      throw error;
    } finally {
      // Not waited for: a stream that does not stop is left behind.
      iterator.return?.().catch(() => {});
    }
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
    return await this.#within(target, { signal, timeoutMs }, async (scope) => {
      const manifest = await this.#choose(target, request, scope.limit);
      return await this.#openDialer().describe(
        manifest,
        { target, service, method, metadata },
        scope,
      );
    });
  }

  /** Ends what runs protocols. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dialer?.[Symbol.asyncDispose]();
  }

  #openDialer(): Dialer {
    this.#dialer ??= this.#surroundings.dialer?.() ??
      new LocalDialer(this.#allowlist, this.#registry);
    return this.#dialer;
  }

  async #scopeOf(signal: AbortSignal, timeoutMs: number): Promise<Scope> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const startedMs = performance.now();
    return { signal, limit, timeoutMs, startedMs, ambient: await this.#surroundings.ambient?.() };
  }

  /** Runs an action under a time limit. */
  async #within<T>(
    target: Target,
    { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
    action: (scope: Scope) => Promise<T>,
  ): Promise<T> {
    const scope = await this.#scopeOf(signal, timeoutMs);
    return await this.#guard(target, scope, () => action(scope));
  }

  /** Leaves behind what does not end in time; the first of limit and caller to end it is named. */
  async #guard<T>(target: Target, scope: Scope, run: () => Promise<T>): Promise<T> {
    try {
      return await untilAborted(run, scope.limit);
    } catch (error) {
      if (error instanceof BowireError || !scope.limit.aborted) throw error;
      throw abortError(target, scope.signal, scope.timeoutMs);
    }
  }

  async #run(call: Call, request: InvokeRequest, scope: Scope): Promise<Invoked> {
    const manifest = await this.#choose(call.target, request, scope.limit);
    const facts = { protocol: manifest.id, call };
    this.#narrate({ kind: "resolved", ...facts });
    try {
      const invocation = await this.#openDialer().invoke(
        manifest,
        call,
        this.#narrated(scope, facts),
      );
      this.#narrate({ kind: "done", ...facts, invocation });
      return { protocol: manifest.id, invocation };
    } catch (error) {
      this.#narrate({ kind: "failed", ...facts, error });
      throw error;
    }
  }

  #narrated(scope: Scope, facts: { protocol: string; call: Call }): Scope {
    const onProgress = (progress: Progress) =>
      this.#narrate({ kind: "progress", ...facts, progress });
    return { ...scope, onProgress };
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

function callOf(target: Target, request: InvokeRequest): Call {
  const { service, method, messages, metadata = {}, validate = true } = request;
  return { target, service, method, messages, metadata, validate };
}

function keyOf(target: Target, service: string): string {
  return `${target.url}\n${service}`;
}
