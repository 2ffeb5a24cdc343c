/**
 * Serves a catalogue over a pair of byte streams.
 *
 * @module
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Catalogue } from "./catalogue.ts";
import { type ConnectOptions, createServerFactory } from "./connect.ts";
import { StreamTransport } from "./stream_transport.ts";

/** The two ends of the pipe, and how the catalogue is shown. */
export interface StreamsOptions extends ConnectOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: WritableStream<Uint8Array>;
  /** Told of trouble that no answer can carry. */
  readonly onError?: (error: Error) => void;
}

/** Settles when the input has ended and what was in flight is answered, or the client is gone. */
export async function serveStreams(catalogue: Catalogue, options: StreamsOptions): Promise<void> {
  const transport = new StreamTransport(options.input, options.output);
  serveStdio(createServerFactory(catalogue, options), {
    transport,
    onerror: options.onError ?? (() => {}),
  });
  await transport.ended;
}
