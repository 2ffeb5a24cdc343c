/**
 * The composition root: a host, the catalogue over it, and the faces over the catalogue.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import type { DiscoverOptions, Invoked, InvokeRequest } from "./call/mod.ts";
import type { Adapted } from "./adapted.ts";
import { Host, type HostOptions, type HostParts } from "./host/mod.ts";
import { BowireError } from "./errors/mod.ts";
import type { AdapterOptions } from "./adapter/mod.ts";
import type { ConnectionInfo, HttpFaceOptions, Mount, Route } from "./http/mod.ts";
import type { Endpoint, ToolNameStyle } from "./mcp/mod.ts";
import type { Discovery, FrameStream } from "./model/mod.ts";
import { createServerCatalogue } from "./server/mod.ts";

const log = getLogger(["bowire", "mcp"]);

/** Everything that can be set on a {@linkcode Bowire}. */
export interface BowireOptions extends HostOptions, HttpFaceOptions {
  /** How tool names are written; both spellings are always accepted. @default "auto" */
  readonly toolNames?: ToolNameStyle | undefined;
  /** Whether HTTP clients of the older protocol revisions get sessions. @default true */
  readonly sessions?: boolean | undefined;
  /**
   * The path below which {@linkcode Bowire.fetch} answers; empty for the root, of which it answers
   * `/mcp` and what tells of an adapter. @default "/bowire"
   */
  readonly basePath?: string | undefined;
  /**
   * Whether Bowire's own tools are served. Without them, an adapter takes their place at
   * `{basePath}/mcp`. @default true
   */
  readonly mcpServer?: boolean | undefined;
}

/** A running Bowire. */
export interface Bowire extends AsyncDisposable {
  /**
   * Serves what is below the base path, in front of an app of your own: MCP at `{basePath}/mcp`, an
   * adapter at `{basePath}/mcp/adapter`, what is mounted at `{basePath}/mcp/manifest`, and that it
   * is alive at `{basePath}/healthz`.
   *
   * @param info as `Deno.serve` hands it out: whom the access log and the rate limit are about.
   * @returns `null` for any other path, which is for the app to answer.
   */
  fetch(request: Request, info?: ConnectionInfo): Promise<Response | null>;
  /** Serves Bowire's own tools over MCP, at whatever path the request has. */
  mcp(request: Request, info?: ConnectionInfo): Promise<Response>;
  /**
   * Discovers APIs, and serves each of their methods as a tool, beside Bowire's own.
   *
   * @param api the URL of one, or all that there is to say. Bowire's own tools do not reach it for that.
   * @returns this Bowire.
   * @throws {BowireError} `usage` when there is an adapter already; as a discovery does when no URL
   * offers a method.
   */
  withMcpAdapter(api: string | AdapterOptions): Promise<Bowire>;
  /** Serves MCP over two byte streams until the input ends. */
  serveStreams(
    input: ReadableStream<Uint8Array>,
    output: WritableStream<Uint8Array>,
  ): Promise<void>;
  /**
   * Lists what an allowed URL offers.
   *
   * @throws {BowireError} when the URL is refused or no protocol speaks its scheme.
   */
  discover(url: string, options?: DiscoverOptions): Promise<Discovery>;
  /**
   * Makes one unary call to an allowed URL. An error status of the target is a result.
   *
   * @throws {BowireError} when the URL is refused or the call cannot be made.
   */
  invoke(request: InvokeRequest): Promise<Invoked>;
  /**
   * Makes one call to an allowed URL that is answered by a stream. A frame is asked for when it is
   * wanted; leaving the loop lets go of the target. `timeoutMs` limits the whole call.
   *
   * @example
   * ```ts
   * import type { Bowire } from "./bowire.ts";
   *
   * async function firstTicks(bowire: Bowire): Promise<(string | null)[]> {
   *   const ticks = [];
   *   const request = { url: "http://localhost:50051", service: "Clock", method: "Watch" };
   *   for await (const { data } of bowire.subscribe({ ...request, messages: ["{}"] })) {
   *     if (ticks.push(data) === 3) break;
   *   }
   *   return ticks;
   * }
   * ```
   * @throws {BowireError} as `invoke` does, before the first frame or after any.
   */
  subscribe(request: InvokeRequest): FrameStream;
  /** Ends sessions and requests in flight. */
  close(): Promise<void>;
}

/** A Bowire whose parts can be looked at. */
export interface ComposedBowire extends Bowire {
  readonly host: Host;
  /** Bowire's own tools, without a door. */
  readonly endpoint: Endpoint;
}

/**
 * Builds a Bowire from its parts.
 *
 * @throws {BowireError} `invalid_url` for a bad URL in the options.
 */
export async function composeBowire(
  options: BowireOptions,
  parts: HostParts,
): Promise<ComposedBowire> {
  // Loaded when they are needed: most commands serve nobody.
  const [http, { createEndpoint, serveStreams }] = await Promise.all([
    import("./http/mod.ts"),
    import("./mcp/mod.ts"),
  ]);
  const basePath = http.normalizeBasePath(options.basePath ?? http.DEFAULT_BASE_PATH);
  // At the root, an app has its own.
  const healthPath = basePath === "" ? undefined : `${basePath}/healthz`;
  const door = http.createDoor(options, healthPath);
  const host = await Host.open(options, parts);
  const catalogue = createServerCatalogue(host);
  const shown = {
    toolNames: options.toolNames ?? "auto",
    onError: (error: Error) => log.debug("MCP: {message}", { message: error.message }),
  };
  const sessions = options.sessions ?? true;
  const endpoint = createEndpoint(catalogue, { ...shown, sessions });
  const mcpPath = `${basePath}/mcp`;
  const mounts: Mount[] = (options.mcpServer ?? true)
    ? [{ path: mcpPath, mode: "server", endpoint }]
    : [];
  const routes: Route[] = [];
  const face = http.createHttpFace({ mounts, routes, manifestPath: `${mcpPath}/manifest` }, door);
  const closing = new AbortController();
  let adapting: Promise<Adapted> | undefined;
  const close = async () => {
    closing.abort();
    await Promise.all([endpoint.close(), adapting?.then((adapted) => adapted.close(), () => {})]);
    await host[Symbol.asyncDispose]();
  };
  const bowire: ComposedBowire = {
    host,
    endpoint,
    fetch: async (request, info) =>
      http.isServed(new URL(request.url).pathname, basePath) ? await face(request, info) : null,
    mcp: (request, info) => door(request, info, endpoint.fetch),
    async withMcpAdapter(api) {
      if (adapting !== undefined) throw secondAdapter();
      const adapter = typeof api === "string" ? { urls: [api] } : api;
      const path = mounts.length === 0 ? mcpPath : `${mcpPath}/adapter`;
      adapting = import("./adapted.ts").then(({ adaptApart }) =>
        adaptApart({ options, parts }, { adapter, path, sessions }, closing.signal)
      );
      try {
        const adapted = await adapting;
        mounts.push(adapted.mount);
        routes.push(...adapted.routes);
      } catch (error) {
        adapting = undefined; // it may be tried again
        throw error;
      }
      return bowire;
    },
    serveStreams: (input, output) => serveStreams(catalogue, { ...shown, input, output }),
    discover: (url, options) => host.caller.discover(url, { ...options, signal: closing.signal }),
    invoke: (request) => host.caller.invoke(request, closing.signal),
    subscribe: (request) => host.caller.subscribe(request, closing.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
  return bowire;
}

function secondAdapter(): BowireError {
  return new BowireError("usage", "cannot add an adapter: there is one already", {
    hint: "give all URLs to one: withMcpAdapter({ urls: [A, B] })",
  });
}
