/**
 * MCP over streamable HTTP: one endpoint for all protocol revisions.
 *
 * Requests of 2026-07-28 stand alone. Older clients get a session when they initialize; those that
 * lose its id, as many do, are served without one.
 *
 * @module
 */
import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  legacyStatelessFallback,
} from "@modelcontextprotocol/server";
import { messageOf } from "../errors/mod.ts";
import { parseJson } from "../schema/mod.ts";
import type { Catalogue, ListName } from "./catalogue.ts";
import { tellListeners, watchLists } from "./changes.ts";
import { type ConnectOptions, createServerFactory, type ServerFactory } from "./connect.ts";
import { type BodyLimits, readBody } from "./http/body.ts";
import { refusal } from "./http/refusals.ts";
import { SESSION_IDLE_MS } from "./http/session_table.ts";
import { KEEP_ALIVE_MS, Sessions } from "./http/sessions.ts";

/** Who sent a request, as far as its credentials tell, and how much of them is read. */
export interface HttpCaller extends BodyLimits {
  /** Differs between credentials; empty when there are none. */
  readonly principal: string;
}

/** How an endpoint behaves. */
export interface EndpointOptions extends ConnectOptions {
  /** Whether older clients get sessions. Without, elicitation needs the newest revision. @default true */
  readonly sessions?: boolean;
  /** How often a stream tells that it is alive, in milliseconds. @default 15000 */
  readonly keepAliveMs?: number;
  /** A session nobody uses ends after this time, in milliseconds. @default 30 minutes */
  readonly sessionIdleMs?: number;
}

/** An MCP endpoint. Host, Origin and credentials are checked by whoever mounts it. */
export interface Endpoint {
  fetch(request: Request, caller: HttpCaller): Promise<Response>;
  close(): Promise<void>;
}

/** What an endpoint serves: servers of the SDK, a fresh one for each session or request. */
export interface Served {
  readonly factory: ServerFactory;
  /** Where there is no way to tell a client anything but answers. */
  readonly statelessFactory: ServerFactory;
  /** Calls `tell` each time a list has changed; what is returned stops it. */
  watch(tell: (list: ListName) => void): () => void;
}

/** Serves a catalogue over HTTP. */
export function createEndpoint(catalogue: Catalogue, options: EndpointOptions = {}): Endpoint {
  return serveOverHttp({
    factory: createServerFactory(catalogue, options),
    statelessFactory: createServerFactory(catalogue, { ...options, canTell: false }),
    watch: (tell) => watchLists(catalogue, tell),
  }, options);
}

/** Serves servers of the SDK over HTTP. */
export function serveOverHttp(
  { factory, statelessFactory, watch }: Served,
  options: EndpointOptions = {},
): Endpoint {
  const onError = options.onError ?? (() => {});
  const { keepAliveMs = KEEP_ALIVE_MS, sessionIdleMs: idleMs = SESSION_IDLE_MS } = options;
  const modern = createMcpHandler(factory, { legacy: "reject", onerror: onError, keepAliveMs });
  const stateless = legacyStatelessFallback(statelessFactory, onError);
  const sessions = new Sessions(factory, { onError, keepAliveMs, idleMs });
  const stopWatching = watch((list) => {
    tellListeners(modern.bus, list);
    sessions.tell(list);
  });
  const mayStartSessions = options.sessions ?? true;

  return {
    async fetch(request, caller) {
      const text = await readBody(request, caller);
      if (text instanceof Response) return text;
      const body = text === undefined ? undefined : parseBody(text);
      if (body instanceof Response) return body;
      const authInfo = { token: "", clientId: caller.principal, scopes: [] };
      const extra = { authInfo, ...(body === undefined ? {} : { parsedBody: body }) };
      if (!await isLegacyRequest(request, body)) return await modern.fetch(request, extra);
      const sessionId = request.headers.get("mcp-session-id");
      if (sessionId !== null) return await sessions.serve(sessionId, request, extra);
      if (mayStartSessions && isInitializeRequest(body)) {
        return await sessions.start(request, extra);
      }
      return await stateless(request, extra);
    },
    async close() {
      stopWatching();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

/** The body, exact in its numbers; or the answer that refuses it. */
function parseBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    return refusal(400, -32700, `Parse error: ${messageOf(error)}`);
  }
}
