/**
 * The composition root: a host, the catalogue over it, and the faces over the catalogue.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import type { DiscoverOptions, Invoked, InvokeRequest } from "./call/mod.ts";
import { Host, type HostOptions, type HostParts } from "./host/mod.ts";
import type { HttpFaceOptions } from "./http/mod.ts";
import type { ToolNameStyle } from "./mcp/mod.ts";
import type { Discovery, FrameStream } from "./model/mod.ts";
import { createServerCatalogue } from "./server/mod.ts";

const log = getLogger(["bowire", "mcp"]);

/** Everything that can be set on a {@linkcode Bowire}. */
export interface BowireOptions extends HostOptions, HttpFaceOptions {
  /** How tool names are written; both spellings are always accepted. @default "auto" */
  readonly toolNames?: ToolNameStyle | undefined;
  /** Whether HTTP clients of the older protocol revisions get sessions. @default true */
  readonly sessions?: boolean | undefined;
}

/** A running Bowire. */
export interface Bowire extends AsyncDisposable {
  /** Serves MCP over HTTP: hand it to `Deno.serve`, or mount it in an app of your own. */
  fetch(request: Request): Promise<Response>;
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
  const [{ createHttpFace }, { createEndpoint, serveStreams }] = await Promise.all([
    import("./http/mod.ts"),
    import("./mcp/mod.ts"),
  ]);
  const host = await Host.open(options, parts);
  const catalogue = createServerCatalogue(host);
  const shown = {
    toolNames: options.toolNames ?? "auto",
    onError: (error: Error) => log.debug("MCP: {message}", { message: error.message }),
  };
  const endpoint = createEndpoint(catalogue, { ...shown, sessions: options.sessions ?? true });
  const closing = new AbortController();
  const close = async () => {
    closing.abort();
    await endpoint.close();
    await host[Symbol.asyncDispose]();
  };
  return {
    host,
    fetch: createHttpFace({ endpoint }, options),
    serveStreams: (input, output) => serveStreams(catalogue, { ...shown, input, output }),
    discover: (url, options) => host.caller.discover(url, { ...options, signal: closing.signal }),
    invoke: (request) => host.caller.invoke(request, closing.signal),
    subscribe: (request) => host.caller.subscribe(request, closing.signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}
