/**
 * The servers that were spoken to, so that a second call finds its way without a handshake.
 *
 * @module
 */
import {
  type CallContext,
  PROGRAM_SCHEME,
  readHttpMetadata,
  type Target,
} from "../../../lib/protocol/mod.ts";
import { HttpWire } from "../wire/http.ts";
import { ProgramWire } from "../wire/program.ts";
import type { Wire } from "../wire/wire.ts";
import { Connection } from "./connection.ts";

/** Most servers at once; the one unused longest gives way. */
const MAX_KEPT = 32;
/** A session by HTTP that nobody uses is ended after this time, at the next call, in milliseconds. */
const IDLE_MS = 5 * 60_000;

interface Kept {
  readonly connection: Connection;
  usedMs: number;
}

/** The connections of one plugin, by target and who asks. */
export class Connections {
  readonly #nowMs: () => number;
  /** In the order of last use. */
  readonly #kept = new Map<string, Kept>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The connection for a call.
   *
   * @throws {BowireError} `invalid_argument` for metadata that cannot be sent.
   */
  to(
    target: Target,
    metadata: Readonly<Record<string, string>>,
    context: CallContext,
  ): Connection {
    const all = { ...context.metadataFor(target.url), ...metadata };
    const key = JSON.stringify([target.url, ...Object.entries(all).sort()]);
    this.#endIdle(context);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    const connection = known?.connection.isOpen === true
      ? known.connection
      : new Connection(wireTo(target, all, context));
    this.#kept.set(key, { connection, usedMs: this.#nowMs() });
    return connection;
  }

  /** Ends all sessions and programs. */
  async close(context: CallContext): Promise<void> {
    const connections = [...this.#kept.values()].map(({ connection }) => connection);
    this.#kept.clear();
    await Promise.all(connections.map((connection) => connection.close(context)));
  }

  /** Not waited for: the call has better things to do. */
  #endIdle(context: CallContext): void {
    for (const [key, { connection, usedMs }] of this.#kept) {
      const isIdle = connection.isHttp && this.#nowMs() - usedMs > IDLE_MS;
      if (!isIdle && this.#kept.size < MAX_KEPT) continue;
      this.#kept.delete(key);
      connection.close(context);
    }
  }
}

function wireTo(
  target: Target,
  metadata: Readonly<Record<string, string>>,
  context: CallContext,
): Wire {
  if (target.scheme === PROGRAM_SCHEME) return new ProgramWire(target);
  const { headers, query, tls } = readHttpMetadata(metadata);
  const url = new URL(target.url);
  for (const [name, value] of query) url.searchParams.append(name, value);
  const place = query.length === 0 ? target : context.admit(url.href, "parameters of the metadata");
  return new HttpWire(place, { headers, tls });
}
