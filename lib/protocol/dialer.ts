/**
 * Where protocols run. {@linkcode LocalDialer} runs them in this thread; the sandbox runs one of
 * these behind a worker's border.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Allowlist } from "../gate/mod.ts";
import type { FrameStream, Invocation, MethodSchema, Progress } from "../model/mod.ts";
import {
  type Ambient,
  type AskPerson,
  type CallContext,
  type ContextOptions,
  createContext,
} from "./context.ts";
import { Deadline } from "./deadline.ts";
import type {
  Call,
  DescribeAllRequest,
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
  /** The same where the target shows signs of life. @default timeoutMs */
  readonly maxTimeoutMs?: number | undefined;
  /** When the call began, by `performance.now()` of this thread. */
  readonly startedMs: number;
  /** What the active environment adds. */
  readonly ambient: Ambient | undefined;
  /** The schemas that were added for the target, of all protocols. */
  readonly schemas?: readonly SchemaRef[];
  /** Hears how far the call is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Puts questions of the target to the person behind the call. @default nobody is there */
  readonly onQuestion?: AskPerson | undefined;
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
  /** `undefined` as above, for each of them. */
  describeAll(
    protocol: ProtocolManifest,
    request: DescribeAllRequest,
    scope: Scope,
  ): Promise<readonly (MethodSchema | undefined)[]>;
  subscribe(protocol: ProtocolManifest, call: Call, scope: Scope): FrameStream;
  readSchema(
    protocol: ProtocolManifest,
    request: SchemaRequest,
    scope: Scope,
  ): Promise<SchemaRead>;
}

/** What calls draw on besides the network. */
export type Means = Pick<ContextOptions, "files" | "lookup" | "loadSchema" | "programs" | "send">;

/** How long protocols may take to let go of what they keep, in milliseconds. */
export const FAREWELL_MS = 500;
/** The same where they keep programs, which are ended by force after that. */
const PROGRAM_FAREWELL_MS = 2000;

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
    const { timeoutMs, maxTimeoutMs } = scope;
    const elapsedMs = performance.now() - scope.startedMs;
    using deadline = new Deadline({ timeoutMs, maxTimeoutMs, elapsedMs });
    return await code.invoke(call, this.#contextOf(protocol, scope, deadline));
  }

  async describe(
    protocol: ProtocolManifest,
    request: DescribeRequest,
    scope: Scope,
  ): Promise<MethodSchema | undefined> {
    const code = await this.#registry.load(protocol);
    return await code.describe?.(request, this.#contextOf(protocol, scope));
  }

  async describeAll(
    protocol: ProtocolManifest,
    request: DescribeAllRequest,
    scope: Scope,
  ): Promise<readonly (MethodSchema | undefined)[]> {
    const code = await this.#registry.load(protocol);
    const schemas = await code.describeAll?.(request, this.#contextOf(protocol, scope));
    return schemas ?? request.methods.map(() => undefined);
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

  /** Lets protocols say a last word to those whom they are connected to. */
  async [Symbol.asyncDispose](): Promise<void> {
    const timeoutMs = this.#means.programs === undefined ? FAREWELL_MS : PROGRAM_FAREWELL_MS;
    const options = { ...this.#means, timeoutMs };
    const signal = AbortSignal.timeout(timeoutMs);
    await this.#registry.close(createContext(this.#allowlist, signal, options));
  }

  #contextOf(protocol: ProtocolManifest, scope: Scope, deadline?: Deadline): CallContext {
    const { signal, timeoutMs, startedMs, ambient, onProgress, onQuestion } = scope;
    const own = (scope.schemas ?? []).filter((schema) => schema.protocol === protocol.id);
    const schemas = own.map(({ id }) => id);
    const elapsedMs = performance.now() - startedMs;
    return createContext(this.#allowlist, signal, {
      timeoutMs,
      elapsedMs,
      deadline,
      ambient,
      schemas,
      onProgress,
      onQuestion,
      ...this.#means,
    });
  }
}
