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
import type { ListName } from "./catalogue.ts";
import { tellClient } from "./changes.ts";
import type { ServerFactory } from "./connect.ts";

/** A session nobody uses ends after this time, in milliseconds. */
const IDLE_MS = 30 * 60_000;
/** Most sessions at once; the one unused longest gives way. */
const MAX_SESSIONS = 1000;

/** What sessions are given besides their servers. */
export interface SessionsOptions {
  /** Told of trouble that no answer can carry. */
  readonly onError?: (error: Error) => void;
  /** The time in milliseconds. @default Date.now */
  readonly now?: () => number;
}

interface Session {
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Who opened it: nobody else may use it, whatever id they show. */
  readonly principal: string;
  usedAt: number;
}

/** The open sessions of one endpoint. */
export class Sessions {
  readonly #factory: ServerFactory;
  readonly #onError: (error: Error) => void;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #open = new Map<string, Session>();

  constructor(
    factory: ServerFactory,
    { onError = () => {}, now = Date.now }: SessionsOptions = {},
  ) {
    this.#factory = factory;
    this.#onError = onError;
    this.#now = now;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Serves `initialize` with a new session. */
  async start(request: Request, extra: HandleRequestOptions): Promise<Response> {
    this.#makeRoom(MAX_SESSIONS - 1);
    const server = this.#factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        const principal = principalOf(extra);
        this.#open.set(id, { server, transport, principal, usedAt: this.#now() });
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
    this.#makeRoom(MAX_SESSIONS);
    const session = this.#open.get(id);
    if (session === undefined || session.principal !== principalOf(extra)) return notFound();
    session.usedAt = this.#now();
    this.#open.delete(id);
    this.#open.set(id, session);
    return await session.transport.handleRequest(request, extra);
  }

  /** Tells the clients that have a stream open that a list has changed. */
  tell(list: ListName): void {
    for (const { server } of this.#open.values()) tellClient(server, list).catch(this.#onError);
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    const transports = [...this.#open.values()].map(({ transport }) => transport);
    this.#open.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  /** Ends the sessions that are idle, and those unused longest while more than `most` are open. */
  #makeRoom(most: number): void {
    for (const [id, { transport, usedAt }] of this.#open) {
      if (this.#now() - usedAt < IDLE_MS && this.#open.size <= most) break;
      this.#open.delete(id);
      transport.close();
    }
  }
}

function principalOf({ authInfo }: HandleRequestOptions): string {
  return authInfo?.clientId ?? "";
}

function notFound(): Response {
  return Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32001, message: "Session not found: initialize again" },
    },
    { status: 404 },
  );
}
