/**
 * Where protocols run. {@linkcode LocalDialer} runs them in this thread; the sandbox runs one of
 * these behind a worker's border.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Allowlist } from "../gate/mod.ts";
import type { FrameStream, Invocation, MethodSchema, Progress } from "../model/mod.ts";
import { type Ambient, type CallContext, type ContextOptions, createContext } from "./context.ts";
import type {
  Call,
  DescribeRequest,
  Discovered,
  DiscoverRequest,
  ProtocolManifest,
  SchemaRead,
  SchemaRequest,
} from "./protocol.ts";
import type { Registry } from "./registry.ts";

/** A schema that was added for a target. */
export interface SchemaRef {
  readonly id: string;
  /** Id of the protocol that reads it. */
  readonly protocol: string;
}

/** The bounds and surroundings of one call. */
export interface Scope {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Aborts when the caller gives up or the call's time is over. */
  readonly limit: AbortSignal;
  /** For the whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** When the call began, by `performance.now()` of this thread. */
  readonly startedMs: number;
  /** What the active environment adds. */
  readonly ambient: Ambient | undefined;
  /** The schemas that were added for the target, of all protocols. */
  readonly schemas?: readonly SchemaRef[];
  /** Hears how far the call is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Runs protocols; each method is that of {@linkcode Protocol}, for the protocol that is named. */
export interface Dialer extends AsyncDisposable {
  discover(
    protocol: ProtocolManifest,
    request: DiscoverRequest,
    scope: Scope,
  ): Promise<Discovered>;
  invoke(protocol: ProtocolManifest, call: Call, scope: Scope): Promise<Invocation>;
  /** `undefined` when the protocol has no schemas beyond what discovery shows. */
  describe(
    protocol: ProtocolManifest,
    request: DescribeRequest,
    scope: Scope,
  ): Promise<MethodSchema | undefined>;
  subscribe(protocol: ProtocolManifest, call: Call, scope: Scope): FrameStream;
  readSchema(
    protocol: ProtocolManifest,
    request: SchemaRequest,
    scope: Scope,
  ): Promise<SchemaRead>;
}

/** What calls draw on besides the network. */
export type Means = Pick<ContextOptions, "files" | "lookup" | "loadSchema">;

/** Runs protocols in this thread. */
export class LocalDialer implements Dialer {
  readonly #allowlist: Allowlist;
  readonly #registry: Registry;
  readonly #means: Means;

  constructor(allowlist: Allowlist, registry: Registry, means: Means = {}) {
    this.#allowlist = allowlist;
    this.#registry = registry;
    this.#means = means;
  }

  async discover(
    protocol: ProtocolManifest,
    request: DiscoverRequest,
    scope: Scope,
  ): Promise<Discovered> {
    const code = await this.#registry.load(protocol);
    return await code.discover(request, this.#contextOf(protocol, scope));
  }

  async invoke(protocol: ProtocolManifest, call: Call, scope: Scope): Promise<Invocation> {
    const code = await this.#registry.load(protocol);
    return await code.invoke(call, this.#contextOf(protocol, scope));
  }

  async describe(
    protocol: ProtocolManifest,
    request: DescribeRequest,
    scope: Scope,
  ): Promise<MethodSchema | undefined> {
    const code = await this.#registry.load(protocol);
    return await code.describe?.(request, this.#contextOf(protocol, scope));
  }

  /** @throws {BowireError} `unknown_method` when the protocol has no streams. */
  async *subscribe(
    protocol: ProtocolManifest,
    call: Call,
    scope: Scope,
  ): FrameStream {
    const code = await this.#registry.load(protocol);
    if (code.subscribe === undefined) {
      throw new BowireError(
        "unknown_method",
        `cannot subscribe to "${call.service}/${call.method}": ${protocol.name} has no streams`,
      );
    }
    return yield* code.subscribe(call, this.#contextOf(protocol, scope));
  }

  /** @throws {BowireError} `usage` when the protocol reads no files. */
  async readSchema(
    protocol: ProtocolManifest,
    request: SchemaRequest,
    scope: Scope,
  ): Promise<SchemaRead> {
    const code = await this.#registry.load(protocol);
    if (code.readSchema !== undefined) {
      return await code.readSchema(request, this.#contextOf(protocol, scope));
    }
    throw new BowireError("usage", `cannot add a schema: ${protocol.name} reads no schema files`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registry.close();
  }

  #contextOf(protocol: ProtocolManifest, scope: Scope): CallContext {
    const { signal, timeoutMs, startedMs, ambient, onProgress } = scope;
    const own = (scope.schemas ?? []).filter((schema) => schema.protocol === protocol.id);
    const schemas = own.map(({ id }) => id);
    const elapsedMs = performance.now() - startedMs;
    const options = { timeoutMs, elapsedMs, ambient, schemas, onProgress, ...this.#means };
    return createContext(this.#allowlist, signal, options);
  }
}
