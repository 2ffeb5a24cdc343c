/**
 * Connections that are kept for the next call: one an endpoint, closed when nobody has used it for a
 * while.
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

/** A connection that somebody has taken, until it is given back. */
export interface Lease extends Disposable {
  readonly session: ClientHttp2Session;
}

interface Kept {
  readonly session: ClientHttp2Session;
  users: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** The connections of one plugin, the least recently used first. */
export class Connections implements Disposable {
  readonly #kept = new Map<string, Kept>();
  /** Those that somebody is opening. */
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
   * Takes the connection of an endpoint, a new one when there is none that can be used.
   *
   * @throws {BowireError} as `openConnection` does.
   */
  async take(endpoint: Endpoint, context: CallContext): Promise<Lease> {
    const { key } = endpoint;
    let kept = this.#usable(key);
    for (let other = this.#opening.get(key); kept === undefined && other !== undefined;) {
      await untilAborted(async () => void await other, context.signal, 0);
      kept = this.#usable(key);
      other = this.#opening.get(key);
    }
    kept ??= await this.#open(endpoint, context);
    clearTimeout(kept.timer);
    kept.users++;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    this.#makeRoom();
    return { session: kept.session, [Symbol.dispose]: () => this.#giveBack(key, kept) };
  }

  /** Closes them all. Calls that run fail. */
  [Symbol.dispose](): void {
    for (const { session, timer } of this.#kept.values()) {
      clearTimeout(timer);
      session.destroy();
    }
    this.#kept.clear();
  }

  #usable(key: string): Kept | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.session.closed || kept.session.destroyed ? undefined : kept;
  }

  async #open(endpoint: Endpoint, context: CallContext): Promise<Kept> {
    const { key } = endpoint;
    const opening = openConnection(endpoint, context);
    this.#opening.set(key, opening.catch(() => {})); // those who wait try themselves
    try {
      return this.#keep(key, await opening);
    } finally {
      this.#opening.delete(key);
    }
  }

  #keep(key: string, session: ClientHttp2Session): Kept {
    const kept: Kept = { session, users: 0 };
    this.#kept.set(key, kept);
    const forget = () => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    };
    session.once("close", forget);
    session.once("goaway", () => { // the calls that run may end, new ones go elsewhere
      forget();
      session.close();
    });
    return kept;
  }

  #giveBack(key: string, kept: Kept): void {
    kept.users--;
    if (kept.users > 0 || kept.session.closed) return;
    kept.timer = setTimeout(() => {
      this.#kept.delete(key);
      kept.session.close();
    }, this.#idleMs);
    Deno.unrefTimer(kept.timer);
  }

  #makeRoom(): void {
    if (this.#kept.size <= MAX_KEPT) return;
    const idle = [...this.#kept].find(([, { users }]) => users === 0);
    if (idle === undefined) return;
    const [key, { session, timer }] = idle;
    clearTimeout(timer);
    this.#kept.delete(key);
    session.close();
  }
}
