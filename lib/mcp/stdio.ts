/**
 * Serves a catalogue over a pair of byte streams.
 *
 * @module
 */
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Catalogue } from "./catalogue.ts";
import { tellClient, watchLists } from "./changes.ts";
import { type ConnectOptions, createServerFactory } from "./connect.ts";
import { StreamTransport } from "./stream_transport.ts";

/** The two ends of the pipe, and how the catalogue is shown. */
export interface StreamsOptions extends ConnectOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
}

/** Settles when the input has ended and what was in flight is answered, or the client is gone. */
export async function serveStreams(catalogue: Catalogue, options: StreamsOptions): Promise<void> {
  const { onError = () => {} } = options;
  const transport = new StreamTransport(options.input, options.output);
  const factory = createServerFactory(catalogue, options);
  const open = new Set<Server>();
  serveStdio((context) => {
    const server = factory(context);
    // Before the answer to initialize an older client expects nothing else.
    if (context.era === "legacy") server.oninitialized = () => open.add(server);
    else open.add(server);
    server.onclose = () => open.delete(server);
    return server;
  }, { transport, onerror: onError });
  const stopWatching = watchLists(catalogue, (list) => {
    for (const server of open) tellClient(server, list).catch(onError);
  });
  await transport.ended;
  stopWatching();
}
