/**
 * Connections that are kept for the next call, and closed when nobody has used them for a while.
 * Calls that are answered once share one; a stream has one to itself, since one that is left while
 * frames are on their way makes the HTTP/2 library end the whole connection.
 *
 * @module
 */
import type { ClientHttp2Session } from "node:http2";
import { type CallContext, untilAborted } from "../../../../lib/protocol/mod.ts";
import type { Endpoint } from "../endpoint.ts";
import { openConnection } from "./connection.ts";

/** How long a connection is kept that nobody uses, in milliseconds. */
const IDLE_MS = 30_000;
/** Most connections that are kept; the one that was used the longest ago gives way. */
const MAX_KEPT = 32;

/** A connection that somebody has taken. */
export interface Lease {
  readonly session: ClientHttp2Session;
  /**
   * Gives it back.
   *
   * @param isClean whether the server has said its last word.
   */
  release(isClean: boolean): void;
}

interface Kept {
  readonly key: string;
  readonly session: ClientHttp2Session;
  users: number;
  /** Whether a stream has it to itself. */
  isExclusive: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** The connections of one plugin. */
export class Connections implements Disposable {
  /** The least recently used first. */
  readonly #kept = new Set<Kept>();
  /** Those to be shared that somebody is opening, by endpoint. */
  readonly #opening = new Map<string, Promise<unknown>>();
  readonly #idleMs: number;

  constructor(idleMs: number = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** How many there are, in use or not. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * Takes a connection to an endpoint, a new one when there is none that can be used.
   *
   * @throws {BowireError} as `openConnection` does.
   */
  async take(
    endpoint: Endpoint,
    { isExclusive, context }: { isExclusive: boolean; context: CallContext },
  ): Promise<Lease> {
    if (!isExclusive) return await this.#share(endpoint, context);
    const kept = this.#usable(endpoint, isExclusive) ?? await this.#open(endpoint, context);
    return this.#lease(kept, isExclusive);
  }

  /** Closes them all. Calls that run fail. */
  [Symbol.dispose](): void {
    for (const { session, timer } of this.#kept) {
      clearTimeout(timer);
      session.destroy();
    }
    this.#kept.clear();
  }

  #usable({ key }: Endpoint, isExclusive: boolean): Kept | undefined {
    return [...this.#kept].find((kept) =>
      kept.key === key && !kept.isExclusive && !(isExclusive && kept.users > 0) &&
      !kept.session.closed && !kept.session.destroyed
    );
  }

  /** Of calls that come at once, one opens the connection and the others wait for it. */
  async #share(endpoint: Endpoint, context: CallContext): Promise<Lease> {
    const { key } = endpoint;
    while (true) {
      const usable = this.#usable(endpoint, false);
      if (usable !== undefined) return this.#lease(usable, false);
      const other = this.#opening.get(key);
      if (other === undefined) break;
      await untilAborted(async () => void await other, context.signal, 0);
    }
    const opening = this.#open(endpoint, context);
    this.#opening.set(key, opening.catch(() => {})); // those who wait try themselves
    try {
      return this.#lease(await opening, false);
    } finally {
      this.#opening.delete(key);
    }
  }

  async #open(endpoint: Endpoint, context: CallContext): Promise<Kept> {
    const session = await openConnection(endpoint, context);
    const kept: Kept = { key: endpoint.key, session, users: 0, isExclusive: false };
    session.once("close", () => this.#kept.delete(kept));
    session.once("goaway", () => this.#retire(kept)); // new calls go elsewhere
    return kept;
  }

  /** Hands a connection out, one that was just opened for the first time. */
  #lease(kept: Kept, isExclusive: boolean): Lease {
    clearTimeout(kept.timer);
    kept.users++;
    kept.isExclusive = isExclusive;
    this.#kept.delete(kept);
    this.#kept.add(kept);
    this.#makeRoom();
    return { session: kept.session, release: (isClean) => this.#release(kept, isClean) };
  }

  #release(kept: Kept, isClean: boolean): void {
    kept.users--;
    if (kept.users > 0) return;
    if (!this.#kept.has(kept) || (kept.isExclusive && !isClean)) return this.#retire(kept);
    kept.isExclusive = false;
    kept.timer = setTimeout(() => this.#retire(kept), this.#idleMs);
    Deno.unrefTimer(kept.timer);
  }

  /**
   * Takes no further calls, and ends when those that run have ended: it does not wait until the server
   * has closed its side, which may never be.
   */
  #retire(kept: Kept): void {
    clearTimeout(kept.timer);
    this.#kept.delete(kept);
    if (kept.users > 0) kept.session.close();
    else kept.session.destroy();
  }

  #makeRoom(): void {
    if (this.#kept.size <= MAX_KEPT) return;
    const idle = [...this.#kept].find(({ users }) => users === 0);
    if (idle !== undefined) this.#retire(idle);
  }
}
