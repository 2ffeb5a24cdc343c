/**
 * The composition root: a host, the catalogue over it, and the faces over the catalogue.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { Host, type HostOptions, type HostParts } from "./host/mod.ts";
import { createHttpFace, type HttpFaceOptions } from "./http/mod.ts";
import { type Catalogue, createEndpoint, serveStreams, type ToolNameStyle } from "./mcp/mod.ts";
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
export interface Bowire {
  readonly host: Host;
  readonly catalogue: Catalogue;
  /** Serves MCP over HTTP: hand it to `Deno.serve`, or mount it in an app of your own. */
  fetch(request: Request): Promise<Response>;
  /** Serves MCP over two byte streams until the input ends. */
  serveStreams(
    input: ReadableStream<Uint8Array>,
    output: WritableStream<Uint8Array>,
  ): Promise<void>;
  /** Ends sessions and requests in flight. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Builds a Bowire from its parts.
 *
 * @throws {BowireError} `invalid_url` for a bad URL in the options.
 */
export async function composeBowire(options: BowireOptions, parts: HostParts): Promise<Bowire> {
  const host = await Host.open(options, parts);
  const catalogue = createServerCatalogue(host);
  const shown = {
    toolNames: options.toolNames ?? "auto",
    onError: (error: Error) => log.debug("MCP: {message}", { message: error.message }),
  };
  const endpoint = createEndpoint(catalogue, { ...shown, sessions: options.sessions ?? true });
  const close = () => endpoint.close();
  return {
    host,
    catalogue,
    fetch: createHttpFace(endpoint, options),
    serveStreams: (input, output) => serveStreams(catalogue, { ...shown, input, output }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
