/**
 * Sessions of the older protocol revisions over HTTP.
 *
 * @module
 */
import {
  type HandleRequestOptions,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** A session nobody uses ends after this time, in milliseconds. */
const IDLE_MS = 30 * 60_000;
/** Most sessions at once; the one unused longest gives way. */
const MAX_SESSIONS = 1000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Who opened it: nobody else may use it, whatever id they show. */
  readonly principal: string;
  usedAt: number;
}

/** The open sessions of one endpoint. */
export class Sessions {
  readonly #factory: McpServerFactory;
  readonly #now: () => number;
  /** In the order of last use. */
  readonly #open = new Map<string, Session>();

  constructor(factory: McpServerFactory, now: () => number = Date.now) {
    this.#factory = factory;
    this.#now = now;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Serves `initialize` with a new session. */
  async start(request: Request, extra: HandleRequestOptions): Promise<Response> {
    this.#makeRoom(MAX_SESSIONS - 1);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#open.set(id, { transport, principal: principalOf(extra), usedAt: this.#now() });
      },
      onsessionclosed: (id) => {
        this.#open.delete(id);
      },
    });
    const server = await this.#factory({ era: "legacy", requestInfo: request });
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
