/**
 * Children of a forwarder within this process: one that speaks over streams, and requests by HTTP.
 *
 * @module
 */
import type { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { readLines } from "../../lib/schema/lines.ts";
import { within } from "../fakes/deadline.ts";

/** A child that speaks over streams. */
export interface StreamChild extends AsyncDisposable {
  send(text: string): Promise<void>;
  /** The next line. */
  next(): Promise<string>;
  /** Ends the child's output, and gives the lines that still come. */
  end(): Promise<string[]>;
  /** What nobody could be told. */
  readonly troubles: readonly Error[];
}

/** Starts one. */
export function startChild(forwarder: ForwardingMcpTransport): StreamChild {
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  const writer = up.writable.getWriter();
  const lines = readLines(down.readable, 64 * 1024 * 1024);
  const troubles: Error[] = [];
  const served = forwarder.serveStreams({
    input: up.readable,
    output: down.writable,
    onTrouble: (error) => troubles.push(error),
  }).then(() => down.writable.close().catch(() => {}));
  return {
    troubles,
    send: (text) => writer.write(new TextEncoder().encode(`${text}\n`)),
    async next() {
      const { value, done } = await within(lines.next(), "the next line");
      if (done === true) throw new Error("there is no further line");
      return value.text;
    },
    async end() {
      await writer.close();
      const rest = (async () => (await Array.fromAsync(lines)).map(({ text }) => text))();
      await within(Promise.all([rest, served]), "the relay to end");
      return await rest;
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {}); // it may be closed already
      await lines.return(undefined);
      await within(served, "the relay to end");
    },
  };
}

/** A request by HTTP as a child sends it. */
export function post(text: string, headers: Record<string, string> = {}): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    body: text,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
  });
}
