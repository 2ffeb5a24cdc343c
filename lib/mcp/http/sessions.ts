/**
 * Sessions of the older protocol revisions over HTTP.
 *
 * @module
 */
import {
  type HandleRequestOptions,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { ListName } from "../catalogue.ts";
import { tellClient } from "../changes.ts";
import type { ServerFactory } from "../connect.ts";
import { sessionNotFound } from "./refusals.ts";
import { SessionTable } from "./session_table.ts";

/** How often a stream tells that it is alive, in milliseconds. */
export const KEEP_ALIVE_MS = 15_000;

/** What sessions are given besides their servers. */
export interface SessionsOptions {
  /** Told of trouble that no answer can carry. */
  readonly onError?: (error: Error) => void;
  /** How often a stream tells that it is alive, in milliseconds. @default 15000 */
  readonly keepAliveMs?: number;
  /** A session nobody uses ends after this time, in milliseconds. @default 30 minutes */
  readonly idleMs?: number;
  /** The time in milliseconds. @default Date.now */
  readonly now?: () => number;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

/** The open sessions of one endpoint. */
export class Sessions {
  readonly #factory: ServerFactory;
  readonly #onError: (error: Error) => void;
  readonly #keepAliveMs: number;
  readonly #open: SessionTable<Session>;

  constructor(
    factory: ServerFactory,
    { onError = () => {}, keepAliveMs = KEEP_ALIVE_MS, ...times }: SessionsOptions = {},
  ) {
    this.#factory = factory;
    this.#onError = onError;
    this.#keepAliveMs = keepAliveMs;
    this.#open = new SessionTable({ ...times, onEvict: ({ transport }) => transport.close() });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Serves `initialize` with a new session. */
  async start(request: Request, extra: HandleRequestOptions): Promise<Response> {
    const server = this.#factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      keepAliveMs: this.#keepAliveMs,
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#open.add(id, principalOf(extra), { server, transport });
      },
      onsessionclosed: (id) => {
        this.#open.delete(id);
      },
    });
    await server.connect(transport);
    return await transport.handleRequest(request, extra);
  }

  /** Serves a request of an open session; 404 for one that is unknown or somebody else's. */
  async serve(id: string, request: Request, extra: HandleRequestOptions): Promise<Response> {
    const session = this.#open.use(id, principalOf(extra));
    if (session === undefined) return sessionNotFound();
    return await session.transport.handleRequest(request, extra);
  }

  /** Tells the clients that have a stream open that a list has changed. */
  tell(list: ListName): void {
    for (const { server } of this.#open.sessions) tellClient(server, list).catch(this.#onError);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all(this.#open.clear().map(({ transport }) => transport.close()));
  }
}

function principalOf({ authInfo }: HandleRequestOptions): string {
  return authInfo?.clientId ?? "";
}
