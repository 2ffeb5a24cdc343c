/**
 * The waist: every discovery and every call of every face goes through a {@linkcode Caller}.
 *
 * @module
 */
import type { Allowlist, Target } from "../gate/mod.ts";
import type { Discovery, FrameStream, MethodSchema, Progress } from "../model/mod.ts";
import {
  APP_SCHEME,
  type Call,
  Deadline,
  DEFAULT_TIMEOUT_MS,
  type Dialer,
  LocalDialer,
  MAX_TIMER_MS,
  PROGRAM_SCHEME,
  type ProtocolManifest,
  type Registry,
  type SchemaRead,
  type Scope,
} from "../protocol/mod.ts";
import { findService } from "./choose.ts";
import { DEFAULT_DISCOVERY_TIMEOUT_MS, discover, type DiscoverOptions } from "./discover.ts";
import { endInTime } from "./end_in_time.ts";
import { KnownServices } from "./known_services.ts";
import {
  type CallEvent,
  callOf,
  type DescribeAllRequest,
  type DescribeRequest,
  type Invoked,
  type InvokeRequest,
  type ReadSchemaRequest,
  type Surroundings,
} from "./requests.ts";

/** How long a target may put off the end of a call by signs of life, in milliseconds. */
const MAX_EXTENDED_MS = 600_000;

/** Runs protocols against admitted targets and narrates what happens. */
export class Caller implements AsyncDisposable {
  readonly #allowlist: Allowlist;
  readonly #registry: Registry;
  readonly #surroundings: Surroundings;
  readonly #listeners = new Set<(event: CallEvent) => void>();
  readonly #known = new KnownServices();
  #dialer: Dialer | undefined;
  #localDialer: Dialer | undefined;

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
      dialer: this.#dialerFor(target),
      scope: await this.#scopeOf(target, signal, timeoutMs),
    };
    const discovery = await discover(room, target, options);
    for (const service of discovery.services) {
      this.#known.remember(target, [service], service.source);
    }
    return discovery;
  }

  /**
   * Makes one call that is answered once.
   *
   * @throws {BowireError} when the URL is refused, nothing serves the service or method, the
   * arguments do not fit, or the target cannot be reached in time.
   */
  async invoke(request: InvokeRequest, signal: AbortSignal): Promise<Invoked> {
    const target = this.#allowlist.admit(request.url);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxTimeoutMs = MAX_EXTENDED_MS } = request;
    const { onQuestion = this.#surroundings.onQuestion } = request;
    const around = await this.#scopeOf(target, signal, timeoutMs);
    const elapsedMs = performance.now() - around.startedMs;
    using deadline = new Deadline({ timeoutMs: around.timeoutMs, maxTimeoutMs, elapsedMs });
    const scope: Scope = {
      ...around,
      limit: AbortSignal.any([signal, deadline.signal]),
      maxTimeoutMs,
      onProgress(progress) {
        deadline.extend();
        request.onProgress?.(progress);
      },
      onQuestion: onQuestion && (async (question) => {
        deadline.hold();
        const answer = await onQuestion(question);
        deadline.extend();
        return answer;
      }),
    };
    const bounds = {
      ...scope,
      get timeoutMs() {
        return deadline.limitMs;
      },
    };
    return await endInTime(
      target,
      bounds,
      () => this.#run(callOf(target, request), request, scope),
    );
  }

  /**
   * Makes one call that is answered by a stream, and asks for each frame when it is wanted.
   *
   * @throws {BowireError} as {@linkcode invoke} does, before the first frame or after any; `timeout`
   * when its time is over.
   */
  async *subscribe(request: InvokeRequest, signal: AbortSignal): FrameStream {
    const target = this.#allowlist.admit(request.url);
    const call = callOf(target, request);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, onProgress } = request;
    const scope = { ...await this.#scopeOf(target, signal, timeoutMs), onProgress };
    const inTime = <T>(run: () => Promise<T>) => endInTime(target, scope, run);
    const manifest = await inTime(() => this.#choose(target, request, scope));
    const facts = { protocol: manifest.id, call };
    this.#narrate({ kind: "resolved", ...facts });
    request.onResolved?.(manifest.id);
    const frames = this.#dialerFor(target).subscribe(manifest, call, this.#narrated(scope, facts));
    const iterator = frames[Symbol.asyncIterator]();
    let last: CallEvent = { kind: "ended", ...facts };
    try {
      while (true) {
        const { done, value } = await inTime(() => iterator.next());
        if (done === true) {
          last = { kind: "ended", ...facts, end: value ?? undefined };
          return value;
        }
        this.#narrate({ kind: "frame", ...facts, frame: value });
        yield value;
      }
    } catch (error) {
      last = { kind: "failed", ...facts, error };
      throw error;
    } finally {
      // Not waited for: a stream that does not stop is left behind.
      iterator.return().catch(() => {});
      this.#narrate(last);
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
    const scope = await this.#scopeOf(target, signal, timeoutMs);
    return await endInTime(target, scope, async () => {
      const manifest = await this.#choose(target, request, scope);
      const question = { target, service, method, metadata };
      return await this.#dialerFor(target).describe(manifest, question, scope);
    });
  }

  /**
   * The schemas of many methods that discovery found, in their order; `undefined` for one that has
   * none or is not known any more.
   *
   * @throws {BowireError} as {@linkcode discover} does.
   */
  async describeAll(
    request: DescribeAllRequest,
    signal: AbortSignal,
  ): Promise<readonly (MethodSchema | undefined)[]> {
    const target = this.#allowlist.admit(request.url);
    const { methods, parts = [], metadata = {} } = request;
    const manifest = this.#registry.find(request.protocol);
    const timeoutMs = request.timeoutMs ?? DEFAULT_DISCOVERY_TIMEOUT_MS;
    const scope = await this.#scopeOf(target, signal, timeoutMs);
    return await endInTime(
      target,
      scope,
      () =>
        this.#dialerFor(target).describeAll(manifest, { target, methods, parts, metadata }, scope),
    );
  }

  /**
   * Reads schema files for a URL.
   *
   * @throws {BowireError} when the URL is refused, the protocol is unknown or reads no files, or the
   * files cannot be read or understood.
   */
  async readSchema(request: ReadSchemaRequest, signal: AbortSignal): Promise<SchemaRead> {
    const target = this.#allowlist.admit(request.url);
    const { protocol, files, roots, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const manifest = this.#registry.find(protocol);
    const scope = await this.#scopeOf(target, signal, timeoutMs);
    return await endInTime(
      target,
      scope,
      () => this.#dialerFor(target).readSchema(manifest, { target, files, roots }, scope),
    );
  }

  /**
   * Makes what runs protocols, which the first call would do otherwise.
   *
   * @throws {BowireError} `usage` when it cannot be had as it was asked for.
   */
  prepare(): void {
    this.#openDialer();
  }

  /** Ends what runs protocols. */
  async [Symbol.asyncDispose](): Promise<void> {
    const dialers = [this.#dialer, this.#localDialer];
    await Promise.all(dialers.map((dialer) => dialer?.[Symbol.asyncDispose]()));
  }

  #dialerFor({ scheme }: Target): Dialer {
    if (scheme !== PROGRAM_SCHEME && scheme !== APP_SCHEME) return this.#openDialer();
    this.#localDialer ??= this.#surroundings.localDialer?.();
    return this.#localDialer ?? this.#openDialer();
  }

  #openDialer(): Dialer {
    this.#dialer ??= this.#surroundings.dialer?.() ??
      new LocalDialer(this.#allowlist, this.#registry);
    return this.#dialer;
  }

  async #scopeOf(target: Target, signal: AbortSignal, wantedMs: number): Promise<Scope> {
    const timeoutMs = Math.min(wantedMs, MAX_TIMER_MS);
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const startedMs = performance.now();
    const [ambient, schemas = []] = await Promise.all([
      this.#surroundings.ambient?.(),
      this.#surroundings.schemas?.(target),
    ]);
    return { signal, limit, timeoutMs, startedMs, ambient, schemas };
  }

  async #run(call: Call, request: InvokeRequest, scope: Scope): Promise<Invoked> {
    const manifest = await this.#choose(call.target, request, scope);
    const facts = { protocol: manifest.id, call };
    this.#narrate({ kind: "resolved", ...facts });
    request.onResolved?.(manifest.id);
    try {
      const invocation = await this.#dialerFor(call.target).invoke(
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
    const onProgress = (progress: Progress) => {
      this.#narrate({ kind: "progress", ...facts, progress });
      scope.onProgress?.(progress);
    };
    return { ...scope, onProgress };
  }

  /** The named protocol, else the hinted one, else the one that was found to have the service. */
  async #choose(
    target: Target,
    request: DescribeRequest,
    scope: Scope,
  ): Promise<ProtocolManifest> {
    if (request.protocol !== undefined) return this.#registry.find(request.protocol);
    const claimants = this.#registry.claimants(target);
    const { service } = request;
    const adhoc = service === ""
      ? claimants.find(({ callsUrls }) => callsUrls === true)
      : undefined;
    const owner = adhoc ?? this.#registry.ownerOf(target);
    if (owner !== undefined) return owner;
    const known = this.#known.protocolOf(target, service);
    if (known !== undefined) return this.#registry.find(known);
    const room = { registry: this.#registry, dialer: this.#dialerFor(target), scope };
    return await findService(room, target, {
      candidates: claimants,
      request,
      onTried: ({ manifest, services }) => this.#known.remember(target, services, manifest.id),
    });
  }

  #narrate(event: CallEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
