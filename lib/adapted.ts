/**
 * The composition root of the adapter: a host, the catalogue of its targets, and the faces over it.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { type Adapter, type AdapterOptions, createAdapter } from "./adapter/mod.ts";
import type { Host } from "./host/mod.ts";
import { createHttpFace, type HttpFaceOptions, type Route } from "./http/mod.ts";
import { createEndpoint, serveStreams } from "./mcp/mod.ts";

const log = getLogger(["bowire", "adapter"]);

/** Where the adapter serves MCP, and where it tells of itself. */
const MCP_PATH = "/mcp";
const INFO_PATH = "/api/mcp-adapter";

/** What an adapter is served with. */
export interface AdaptedOptions extends Omit<HttpFaceOptions, "mcpPaths"> {
  readonly adapter: AdapterOptions;
  /** Whether HTTP clients of the older protocol revisions get sessions. @default true */
  readonly sessions?: boolean | undefined;
}

/** An adapter with its faces. */
export interface Adapted extends AsyncDisposable {
  readonly adapter: Adapter;
  /** Serves MCP and what tells of the adapter over HTTP. */
  fetch(request: Request): Promise<Response>;
  /** Serves MCP over two byte streams until the input ends. */
  serveStreams(
    input: ReadableStream<Uint8Array>,
    output: WritableStream<Uint8Array>,
  ): Promise<void>;
  /** Ends sessions, calls and discoveries in flight. */
  close(): Promise<void>;
}

/**
 * Discovers the targets of a host and serves them.
 *
 * @param signal ends the discovery.
 * @throws {BowireError} as `createAdapter` does.
 */
export async function adapt(
  host: Host,
  options: AdaptedOptions,
  signal: AbortSignal,
): Promise<Adapted> {
  const adapter = await createAdapter(host, options.adapter, signal);
  const onError = (error: Error) => log.error("MCP: {error}", { error });
  // The names are made for every client.
  const shown = { toolNames: "dotted", onError } as const;
  const endpoint = createEndpoint(adapter, { ...shown, sessions: options.sessions ?? true });
  const close = async () => {
    await Promise.all([endpoint.close(), adapter.close()]);
  };
  return {
    adapter,
    fetch: createHttpFace(
      { endpoint, routes: routesOf(adapter) },
      { ...options, mcpPaths: [MCP_PATH] },
    ),
    serveStreams: (input, output) => serveStreams(adapter, { ...shown, input, output }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function routesOf(adapter: Adapter): Route[] {
  return [
    { method: "GET", path: INFO_PATH, answer: () => ({ enabled: true, path: MCP_PATH }) },
    {
      method: "POST",
      path: `${INFO_PATH}/rediscover`,
      answer: async ({ signal }) => ({ ...await adapter.rediscover(signal), ...adapter.figures() }),
    },
  ];
}
