/**
 * The waist: every discovery and every call of every face goes through a {@linkcode Caller}.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, redactUrl, type Target } from "../gate/mod.ts";
import type { Discovery, Invocation } from "../model/mod.ts";
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
import { discover, type DiscoverOptions } from "./discover.ts";

/** A call as a face asks for it: the URL is not admitted yet. */
export interface InvokeRequest {
  /** With or without a `hint@`. */
  readonly url: string;
  /** Empty for an ad-hoc call, where the protocol has such. */
  readonly service: string;
  /** Name, or full name. */
  readonly method: string;
  /** Id of the protocol; found out when left out. */
  readonly protocol?: string | undefined;
  /** JSON texts. */
  readonly messages: readonly string[];
  /** Request headers, gRPC metadata and the like. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** For the whole call, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Whether arguments that break the method's schema are refused unsent. @default true */
  readonly validate?: boolean | undefined;
}

/** A finished call, and the protocol that made it. */
export interface Invoked {
  /** The protocol's id. */
  readonly protocol: string;
  /** What came back. */
  readonly invocation: Invocation;
}

/** What happens during a call, for those who listen. */
export type CallEvent =
  | { readonly kind: "resolved"; readonly protocol: string; readonly call: Call }
  | {
    readonly kind: "done";
    readonly protocol: string;
    readonly call: Call;
    readonly invocation: Invocation;
  }
  | {
    readonly kind: "failed";
    readonly protocol: string;
    readonly call: Call;
    readonly error: unknown;
  };

/** Longest memory of which protocol serves which service. */
const MAX_REMEMBERED = 10_000;

/** Runs protocols against admitted targets and narrates what happens. */
export class Caller {
  readonly #allowlist: Allowlist;
  readonly #registry: Registry;
  readonly #listeners = new Set<(event: CallEvent) => void>();
  readonly #protocolOf = new Map<string, string>();

  constructor(allowlist: Allowlist, registry: Registry) {
    this.#allowlist = allowlist;
    this.#registry = registry;
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
    const room = { allowlist: this.#allowlist, registry: this.#registry, signal: options.signal };
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
    const { service, method, messages, metadata = {}, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    const validate = request.validate ?? true;
    const call: Call = { target, service, method, messages, metadata, validate };
    const context = createContext(this.#allowlist, signal, { timeoutMs });
    try {
      return await untilAborted(() => this.#run(call, request, context), context.signal);
    } catch (error) {
      if (error instanceof BowireError || !context.signal.aborted) throw error;
      throw abortError(target, signal, timeoutMs);
    }
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
    request: InvokeRequest,
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
