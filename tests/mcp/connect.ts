/**
 * Clients of a catalogue, without a network.
 *
 * @module
 */
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { type Catalogue, createEndpoint, type Endpoint, serveStreams } from "../../lib/mcp/mod.ts";
import { StreamTransport } from "../../lib/mcp/stream_transport.ts";

/** The eras that a client can speak in, with the revision that comes of it. */
export const ERAS = [
  { era: "2025 session", mode: "legacy", revision: "2025-11-25" },
  { era: "2026-07-28", mode: { pin: "2026-07-28" }, revision: "2026-07-28" },
] as const;

/** What every request of 2026-07-28 carries. */
export const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** How a client speaks. */
export interface Speech extends Pick<ClientOptions, "capabilities"> {
  readonly mode: (typeof ERAS)[number]["mode"];
  /** Prepares the client before it connects. */
  readonly prepare?: (client: Client) => void;
  /** Headers of every request. */
  readonly headers?: Record<string, string>;
  /** Told of trouble on the side of the server. */
  readonly onError?: (error: Error) => void;
}

/** An official client that is connected. */
export interface Connected extends AsyncDisposable {
  readonly client: Client;
}

/** A client that is connected over HTTP. */
export interface ConnectedOverHttp extends Connected {
  /** Session ids that requests carried. */
  readonly sessions: Set<string | null>;
  /** Settles when the server has opened the stream of a session. */
  readonly streaming: Promise<void>;
  /** Ends the session, not the client. */
  terminate(): Promise<void>;
}

/** Connects an official client to a catalogue over HTTP, as the principal "P". */
export async function connectHttp(
  catalogue: Catalogue,
  { mode, capabilities = {}, prepare, headers = {}, onError = () => {} }: Speech,
): Promise<ConnectedOverHttp> {
  const endpoint = createEndpoint(catalogue, { onError });
  const client = newClient({ mode, capabilities });
  prepare?.(client);
  const sessions = new Set<string | null>();
  const streaming = Promise.withResolvers<void>();
  const transport = new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), {
    requestInit: { headers },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sessions.add(request.headers.get("mcp-session-id"));
      const response = await endpoint.fetch(request, { principal: "P" });
      if (request.method === "GET" && response.ok) streaming.resolve();
      return response;
    },
  });
  await client.connect(transport);
  return {
    client,
    sessions,
    streaming: streaming.promise,
    terminate: () => transport.terminateSession(),
    async [Symbol.asyncDispose]() {
      await client.close();
      await endpoint.close();
    },
  };
}

/** Connects an official client to a catalogue over two byte streams. */
export async function connectStreams(
  catalogue: Catalogue,
  { mode, capabilities = {}, prepare, onError = () => {} }: Omit<Speech, "headers">,
): Promise<Connected> {
  const there = new TransformStream<Uint8Array, Uint8Array>();
  const back = new TransformStream<Uint8Array, Uint8Array>();
  const served = serveStreams(catalogue, { input: there.readable, output: back.writable, onError });
  const client = newClient({ mode, capabilities });
  prepare?.(client);
  const input = there.writable.getWriter();
  const output = new WritableStream<Uint8Array>({ write: (chunk) => input.write(chunk) });
  await client.connect(new StreamTransport(back.readable, output));
  return {
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await input.close();
      await served;
    },
  };
}

/** An answer as it is on the wire; what a test does not find in it is undefined. */
export interface Answer {
  // deno-lint-ignore no-explicit-any -- tests assert on its parts
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends one request that stands alone, in the words of a revision. */
export async function ask(
  endpoint: Endpoint,
  revision: string,
  { method, params = {} }: { method: string; params?: Record<string, unknown> },
): Promise<Answer> {
  const isModern = revision === "2026-07-28";
  const name = params.name ?? params.uri;
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": revision,
      ...(isModern ? { "mcp-method": method } : {}),
      ...(typeof name === "string" ? { "mcp-name": name } : {}),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, ...(isModern ? { _meta: MODERN_META } : {}) },
    }),
  });
  const text = await (await endpoint.fetch(request, { principal: "" })).text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

function newClient({ mode, capabilities = {} }: Pick<Speech, "mode" | "capabilities">): Client {
  const info = { name: "asker", version: "1" };
  return new Client(info, { capabilities, versionNegotiation: { mode } });
}
