/**
 * Connections that are kept for the next call: one an endpoint, closed when nobody has used it for a
 * while.
 *
 * @module
 */
import { Client, compressionAlgorithms } from "@grpc/grpc-js";
import { type CallContext, USER_AGENT } from "../../../lib/protocol/mod.ts";
import { JudgedCredentials } from "./credentials.ts";
import type { Compression, Endpoint } from "./endpoint.ts";
import { channelName } from "./resolver.ts";
import { MAX_MESSAGE_BYTES } from "./wire.ts";

/** How long a connection is kept that nobody uses, in milliseconds. */
export const IDLE_MS = 30_000;
/** Most connections that are kept; the one that was used the longest ago gives way. */
const MAX_IDLE = 32;

const ALGORITHMS: Readonly<Record<Compression, number>> = {
  identity: compressionAlgorithms.identity,
  deflate: compressionAlgorithms.deflate,
  gzip: compressionAlgorithms.gzip,
};

/** A connection in use. */
export interface Channel {
  readonly client: Client;
  /** Says why no connection came about, when it was refused on this side. */
  readonly credentials: JudgedCredentials;
}

interface Kept extends Channel {
  users: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** The channels of one plugin, the least recently used first. */
export class Channels {
  readonly #kept = new Map<string, Kept>();
  readonly #idleMs: number;

  constructor(idleMs: number = IDLE_MS) {
    this.#idleMs = idleMs;
  }

  /** How many there are, in use or not. */
  get size(): number {
    return this.#kept.size;
  }

  /** The channel of an endpoint; whoever takes it gives it back. */
  take(endpoint: Endpoint, context: Pick<CallContext, "judge">): Channel {
    const kept = this.#kept.get(endpoint.key) ?? { ...open(endpoint, context), users: 0 };
    clearTimeout(kept.timer);
    kept.users++;
    this.#kept.delete(endpoint.key);
    this.#kept.set(endpoint.key, kept);
    return kept;
  }

  /**
   * Gives a channel back.
   *
   * @param isBroken true when it could not connect: a new one does not wait before it tries again.
   */
  give({ key }: Endpoint, channel: Channel, isBroken: boolean): void {
    const kept = this.#kept.get(key);
    if (kept?.client !== channel.client) return isBroken ? undefined : channel.client.close();
    kept.users--;
    if (isBroken) return this.#drop(key);
    if (kept.users > 0) return;
    kept.timer = setTimeout(() => this.#drop(key), this.#idleMs);
    Deno.unrefTimer(kept.timer);
    if (this.#kept.size <= MAX_IDLE) return;
    const oldest = [...this.#kept].find(([, { users }]) => users === 0);
    if (oldest !== undefined) this.#drop(oldest[0]);
  }

  /** Closes them all. Calls that run fail. */
  close(): void {
    for (const key of [...this.#kept.keys()]) this.#drop(key);
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    clearTimeout(kept?.timer);
    this.#kept.delete(key);
    kept?.client.close();
  }
}

function open(endpoint: Endpoint, context: Pick<CallContext, "judge">): Channel {
  const { target, authority, compression } = endpoint;
  const credentials = new JudgedCredentials(endpoint, (address) => context.judge(target, address));
  const client = new Client(channelName(target.host, target.port), credentials, {
    "grpc.default_authority": authority ?? new URL(target.url).host,
    "grpc.default_compression_algorithm": ALGORITHMS[compression],
    "grpc.enable_http_proxy": 0,
    "grpc.enable_retries": 0,
    "grpc.max_receive_message_length": MAX_MESSAGE_BYTES,
    "grpc.max_send_message_length": -1,
    "grpc.primary_user_agent": USER_AGENT,
    "grpc.service_config_disable_resolution": 1,
    "grpc.use_local_subchannel_pool": 1,
  });
  return { client, credentials };
}
