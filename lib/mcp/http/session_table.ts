/**
 * The bookkeeping of sessions over HTTP: whose they are, and when they end.
 *
 * @module
 */

/** A session nobody uses ends after this time, in milliseconds. */
export const SESSION_IDLE_MS = 30 * 60_000;
/** Most sessions at once; the one unused longest gives way. */
export const MAX_SESSIONS = 1000;

/** How a table behaves. */
export interface SessionTableOptions<Session> {
  /** Lets go of what a session holds, when it has ended by itself. Must not throw. */
  onEvict(session: Session): void;
  /** @default 30 minutes */
  readonly idleMs?: number;
  /** @default 1000 */
  readonly maxSessions?: number;
  /** The time in milliseconds. @default Date.now */
  readonly now?: () => number;
}

interface Entry<Session> {
  readonly session: Session;
  readonly principal: string;
  usedAt: number;
}

/** Open sessions by their id. */
export class SessionTable<Session> {
  readonly #onEvict: (session: Session) => void;
  readonly #idleMs: number;
  readonly #maxSessions: number;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #open = new Map<string, Entry<Session>>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    { onEvict, idleMs = SESSION_IDLE_MS, maxSessions = MAX_SESSIONS, now = Date.now }:
      SessionTableOptions<Session>,
  ) {
    this.#onEvict = onEvict;
    this.#idleMs = idleMs;
    this.#maxSessions = maxSessions;
    this.#now = now;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The sessions, those first that were unused longest. */
  get sessions(): readonly Session[] {
    return [...this.#open.values()].map(({ session }) => session);
  }

  /** @param principal who opened it: nobody else may use it, whatever id they show. */
  add(id: string, principal: string, session: Session): void {
    this.#open.set(id, { session, principal, usedAt: this.#now() });
    this.#sweep();
  }

  /** The session of an id, used just now; `undefined` for one that is unknown or somebody else's. */
  use(id: string, principal: string): Session | undefined {
    this.#sweep();
    const entry = this.#open.get(id);
    if (entry === undefined || entry.principal !== principal) return undefined;
    entry.usedAt = this.#now();
    this.#open.delete(id);
    this.#open.set(id, entry);
    return entry.session;
  }

  /** Forgets a session that has ended. */
  delete(id: string): void {
    this.#open.delete(id);
  }

  /** Forgets all sessions, and gives them. */
  clear(): readonly Session[] {
    clearTimeout(this.#timer);
    const { sessions } = this;
    this.#open.clear();
    return sessions;
  }

  /** Ends the sessions that are idle, and those unused longest while there are too many. */
  #sweep(): void {
    for (const [id, { session, usedAt }] of this.#open) {
      const isIdle = this.#now() - usedAt >= this.#idleMs;
      if (!isIdle && this.#open.size <= this.#maxSessions) break;
      this.#open.delete(id);
      this.#onEvict(session);
    }
    this.#arm();
  }

  /** Looks again when the next one may be idle, whether anybody comes until then or not. */
  #arm(): void {
    clearTimeout(this.#timer);
    const [oldest] = this.#open.values();
    if (oldest === undefined) return;
    const leftMs = oldest.usedAt + this.#idleMs - this.#now();
    this.#timer = setTimeout(() => this.#sweep(), Math.max(1, leftMs));
    Deno.unrefTimer(this.#timer);
  }
}
