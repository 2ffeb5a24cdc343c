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
  readRequestBody,
} from "@modelcontextprotocol/server";
import { messageOf } from "../errors/mod.ts";
import { parseJson } from "../schema/mod.ts";
import type { Catalogue, ListName } from "./catalogue.ts";
import { tellListeners, watchLists } from "./changes.ts";
import { type ConnectOptions, createServerFactory, type ServerFactory } from "./connect.ts";
import { bodyTooLarge, refusal } from "./http/refusals.ts";
import { Sessions } from "./http/sessions.ts";

/** Largest request body, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Who sent a request, as far as its credentials tell. */
export interface HttpCaller {
  /** Differs between credentials; empty when there are none. */
  readonly principal: string;
}

/** How an endpoint behaves. */
export interface EndpointOptions extends ConnectOptions {
  /** Whether older clients get sessions. Without, elicitation needs the newest revision. @default true */
  readonly sessions?: boolean;
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
  const limits = { maxRequestBodySize: MAX_BODY_BYTES };
  const modern = createMcpHandler(factory, { legacy: "reject", onerror: onError, ...limits });
  const stateless = legacyStatelessFallback(statelessFactory, onError, limits);
  const sessions = new Sessions(factory, { onError });
  const stopWatching = watch((list) => {
    tellListeners(modern.bus, list);
    sessions.tell(list);
  });
  const mayStartSessions = options.sessions ?? true;

  return {
    async fetch(request, caller) {
      const read = await readBody(request);
      if (read instanceof Response) return read;
      const body = read.value;
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

/** The parsed body of a POST, exact in its numbers; or the answer that refuses it. */
async function readBody(request: Request): Promise<Response | { value: unknown }> {
  if (request.method !== "POST") return { value: undefined };
  const read = await readRequestBody(request, MAX_BODY_BYTES);
  if (read.tooLarge) return bodyTooLarge(MAX_BODY_BYTES);
  try {
    return { value: parseJson(read.text) };
  } catch (error) {
    return refusal(400, -32700, `Parse error: ${messageOf(error)}`);
  }
}
