/**
 * The composition root of the adapter: a host, the catalogue of its targets, and the faces over it.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { type Adapter, type AdapterOptions, createAdapter } from "./adapter/mod.ts";
import { Host, type HostOptions, type HostParts } from "./host/mod.ts";
import type { Mount, Route } from "./http/mod.ts";
import { createEndpoint, serveStreams } from "./mcp/mod.ts";

const log = getLogger(["bowire", "adapter"]);

/** What an adapter is served with. */
export interface AdaptedOptions {
  readonly adapter: AdapterOptions;
  /** Where it serves MCP. @default "/mcp" */
  readonly path?: string | undefined;
  /** Whether HTTP clients of the older protocol revisions get sessions. @default true */
  readonly sessions?: boolean | undefined;
}

/** An adapter with its faces. */
export interface Adapted extends AsyncDisposable {
  readonly adapter: Adapter;
  /** What is served over HTTP. */
  readonly mount: Mount;
  /** What tells of the adapter, beside it. */
  readonly routes: readonly Route[];
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
  const { path = "/mcp" } = options;
  const close = async () => {
    await Promise.all([endpoint.close(), adapter.close()]);
  };
  return {
    adapter,
    mount: { path, mode: "adapter", endpoint },
    routes: routesOf(adapter, path),
    serveStreams: (input, output) => serveStreams(adapter, { ...shown, input, output }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * The same with a host of its own, where the URLs are allowed besides what the options allow: what an
 * adapter may reach is not for others to reach as they like.
 *
 * @throws {BowireError} as {@linkcode adapt} and `Host.open` do.
 */
export async function adaptApart(
  host: { readonly options: HostOptions; readonly parts: HostParts },
  options: AdaptedOptions,
  signal: AbortSignal,
): Promise<Adapted> {
  const { allowedServerUrls = [] } = host.options;
  const urls = [...allowedServerUrls, ...options.adapter.urls];
  const own = await Host.open({ ...host.options, allowedServerUrls: urls }, host.parts);
  try {
    const adapted = await adapt(own, options, signal);
    const close = async () => {
      await adapted.close();
      await own[Symbol.asyncDispose]();
    };
    return { ...adapted, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await own[Symbol.asyncDispose]();
    throw error;
  }
}

/** They stand beside the folder that MCP is in: `/mcp` is told of at `/api/mcp-adapter`. */
function routesOf(adapter: Adapter, path: string): Route[] {
  const infoPath = path.replace(/\/[^/]*$/, "/api/mcp-adapter");
  return [
    { method: "GET", path: infoPath, answer: () => ({ enabled: true, path }) },
    {
      method: "POST",
      path: `${infoPath}/rediscover`,
      answer: async ({ signal }) => ({ ...await adapter.rediscover(signal), ...adapter.figures() }),
    },
  ];
}
