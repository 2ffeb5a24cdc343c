/**
 * MCP over a pair of byte streams.
 *
 * @module
 */
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Catalogue } from "./catalogue.ts";
import { tellClient, watchLists } from "./changes.ts";
import { type ConnectOptions, createServerFactory } from "./connect.ts";
import type { Served } from "./http.ts";
import { StreamTransport } from "./stream_transport.ts";

/** The two ends of the pipe, and how the catalogue is shown. */
export interface StreamsOptions extends ConnectOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** Serves a catalogue; settles as {@linkcode serveOverStreams} does. */
export async function serveStreams(catalogue: Catalogue, options: StreamsOptions): Promise<void> {
  await serveOverStreams({
    factory: createServerFactory(catalogue, options),
    watch: (tell) => watchLists(catalogue, tell),
  }, options);
}

/**
 * Serves servers of the SDK. Settles when the input has ended and what was in flight is answered,
 * or the client is gone.
 */
export async function serveOverStreams(
  { factory, watch }: Pick<Served, "factory" | "watch">,
  { input, output, onError = () => {} }: StreamsOptions,
): Promise<void> {
  const transport = new StreamTransport(input, output);
  const open = new Set<Server>();
  serveStdio((context) => {
    const server = factory(context);
    // Before the answer to initialize an older client expects nothing else.
    if (context.era === "legacy") server.oninitialized = () => open.add(server);
    else open.add(server);
    server.onclose = () => open.delete(server);
    return server;
  }, { transport, onerror: onError });
  const stopWatching = watch((list) => {
    for (const server of open) tellClient(server, list).catch(onError);
  });
  await transport.ended;
  stopWatching();
}
