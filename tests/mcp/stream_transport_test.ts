import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { MAX_LINE_BYTES, StreamTransport } from "../../lib/mcp/stream_transport.ts";

const encoder = new TextEncoder();

/** One end of a transport in the hands of a test. */
class Peer {
  readonly transport: StreamTransport;
  readonly received: JSONRPCMessage[] = [];
  readonly errors: Error[] = [];
  closings = 0;
  #text = "";
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;

  constructor(options: { onMessage?: (message: JSONRPCMessage, peer: Peer) => void } = {}) {
    const input = new TransformStream<Uint8Array, Uint8Array>();
    this.#input = input.writable.getWriter();
    const decoder = new TextDecoder();
    const output = new WritableStream<Uint8Array>({
      write: (chunk) => {
        this.#text += decoder.decode(chunk, { stream: true });
      },
    });
    this.transport = new StreamTransport(input.readable, output);
    this.transport.onmessage = (message) => {
      this.received.push(message);
      options.onMessage?.(message, this);
    };
    this.transport.onerror = (error) => this.errors.push(error);
    this.transport.onclose = () => this.closings++;
  }

  async start(): Promise<void> {
    await this.transport.start();
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    await this.#input.write(typeof bytes === "string" ? encoder.encode(bytes) : bytes);
  }

  async end(): Promise<void> {
    await this.#input.close();
    await this.transport.ended;
  }

  /** What was written, as parsed lines. */
  get written(): unknown[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  get lines(): string[] {
    ok(this.#text === "" || this.#text.endsWith("\n"));
    return this.#text.split("\n").slice(0, -1);
  }
}

/** What a transport says to some input, and what it makes of it. */
async function feed(...pieces: (string | Uint8Array)[]): Promise<Peer> {
  const peer = new Peer();
  await peer.start();
  for (const piece of pieces) await peer.write(piece);
  await peer.end();
  return peer;
}

function request(id: number | string, method = "ping"): JSONRPCMessage {
  return { jsonrpc: "2.0", id, method };
}

function notification(method: string, params: Record<string, unknown> = {}): JSONRPCMessage {
  return { jsonrpc: "2.0", method, params };
}

/** Answers every request at once. */
function answering(): Peer {
  return new Peer({
    onMessage: (message, { transport }) => {
      if ("id" in message && message.id !== undefined) {
        transport.send({ jsonrpc: "2.0", id: message.id, result: {} });
      }
    },
  });
}

Deno.test("StreamTransport hands over messages and passes over empty lines", async () => {
  const note = notification("notifications/initialized");
  const peer = await feed(`\n \r\n${JSON.stringify(note)}\r\n\n`);
  deepStrictEqual([peer.received, peer.written, peer.closings], [[note], [], 1]);
});

Deno.test("StreamTransport answers what is not JSON with a parse error, and reads on", async () => {
  const note = notification("notifications/x");
  const peer = await feed(`{"jsonrpc":\n${JSON.stringify(note)}\n`);
  const [answer] = peer.written as [{ id: unknown; error: { code: number; message: string } }];
  deepStrictEqual([answer.id, answer.error.code], [null, -32700]);
  match(answer.error.message, /^Parse error: /);
  deepStrictEqual(peer.received, [note]);
});

const NOT_MESSAGES: readonly (readonly [text: string, id: unknown])[] = [
  ["[]", null],
  ["1", null],
  ["null", null],
  ["{}", null],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', 7],
  ['{"id":"a","method":"ping"}', "a"],
  ['{"jsonrpc":"2.0","id":8,"method":5}', 8],
  ['{"jsonrpc":"2.0","id":{"x":1},"method":"ping"}', null],
];

for (const [text, id] of NOT_MESSAGES) {
  Deno.test(`StreamTransport answers ${text} as an invalid request`, async () => {
    const peer = await feed(`${text}\n`);
    deepStrictEqual(peer.written, [{
      jsonrpc: "2.0",
      id,
      error: { code: -32600, message: "Invalid Request: not a JSON-RPC 2.0 message" },
    }]);
    deepStrictEqual(peer.received, []);
  });
}

Deno.test("StreamTransport takes a batch apart and refuses only its bad members", async () => {
  const peer = answering();
  await peer.start();
  await peer.write(`${JSON.stringify([request(1), { id: 2 }, request("3")])}\n`);
  await peer.end();
  deepStrictEqual(peer.received.map((message) => "id" in message && message.id), [1, "3"]);
  const ids = peer.written.map((answer) => (answer as { id: unknown }).id);
  deepStrictEqual(ids.sort(), [1, 2, "3"]);
});

Deno.test("StreamTransport keeps numbers exact in both directions", async () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"n":12345678901234567890}}';
  const peer = new Peer({
    onMessage: (message, { transport }) => {
      const params = "params" in message ? message.params : undefined;
      transport.send({ jsonrpc: "2.0", id: 1, result: { ...params } });
    },
  });
  await peer.start();
  await peer.write(`${text}\n`);
  await peer.end();
  deepStrictEqual(peer.lines, ['{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}']);
});

/** A request line that is too long, with `inside` among its arguments. */
function* longLine(head: string, inside: string, tail: string): Generator<Uint8Array> {
  yield encoder.encode(`{${head}"params":{"arguments":{${inside}"data":"`);
  const piece = new Uint8Array(1024 * 1024).fill(0x78);
  for (let size = 0; size <= MAX_LINE_BYTES; size += piece.length) yield piece;
  yield encoder.encode(`"}}${tail}}\n`);
}

const LONG_LINES: readonly (readonly [string, string, string, string, unknown])[] = [
  ["at its start", '"jsonrpc":"2.0","id":41,"method":"tools/call",', "", "", 41],
  ["at its end", '"method":"tools/call",', "", ',"jsonrpc":"2.0","id":"a-1"', "a-1"],
  ["before its end", '"method":"tools/call",', "", ',"id": 42 ,"jsonrpc":"2.0"', 42],
  ["at its end and one in its arguments", '"method":"x",', '"id":5,', ',"id":43', 43],
  ["nowhere but in its arguments", '"method":"x",', '"id":5,', "", null],
];

for (const [where, head, inside, tail, id] of LONG_LINES) {
  Deno.test(`C51 StreamTransport answers an over-long line with the id ${where}`, async () => {
    const peer = answering();
    await peer.start();
    for (const piece of longLine(head, inside, tail)) await peer.write(piece);
    await peer.write(`${JSON.stringify(request("after"))}\n`);
    await peer.end();
    deepStrictEqual(peer.written, [
      {
        jsonrpc: "2.0",
        id,
        error: {
          code: -32600,
          message: "Invalid Request: the message is longer than 16777216 bytes",
        },
      },
      { jsonrpc: "2.0", id: "after", result: {} },
    ]);
  });
}

Deno.test("StreamTransport lets what is in flight finish when the input ends", async () => {
  const gate = Promise.withResolvers<void>();
  const peer = new Peer({
    onMessage: (_message, { transport }) => {
      gate.promise.then(() => transport.send({ jsonrpc: "2.0", id: 1, result: { isLate: true } }));
    },
  });
  await peer.start();
  await peer.write(`${JSON.stringify(request(1))}\n`);
  const ended = peer.end();
  strictEqual(peer.closings, 0);
  gate.resolve();
  await ended;
  deepStrictEqual(peer.written, [{ jsonrpc: "2.0", id: 1, result: { isLate: true } }]);
  strictEqual(peer.closings, 1);
});

Deno.test("StreamTransport waits half a second for what never finishes", async () => {
  const peer = new Peer();
  await peer.start();
  await peer.write(`${JSON.stringify(request(1))}\n`);
  const start = performance.now();
  await peer.end();
  const waitedMs = performance.now() - start;
  ok(waitedMs > 400 && waitedMs < 2000, `${waitedMs}`);
});

Deno.test("StreamTransport does not wait for what was cancelled or failed", async () => {
  const peer = new Peer({
    onMessage: (message, { transport }) => {
      if ("id" in message && message.id === 2) {
        transport.send({ jsonrpc: "2.0", id: 2, error: { code: -32603, message: "broken" } });
      }
    },
  });
  await peer.start();
  await peer.write(`${JSON.stringify(request(1))}\n${JSON.stringify(request(2))}\n`);
  await peer.write(
    `${JSON.stringify(notification("notifications/cancelled", { requestId: 1 }))}\n`,
  );
  const start = performance.now();
  await peer.end();
  ok(performance.now() - start < 400);
});

Deno.test("StreamTransport does not wait for the end of a subscription", async () => {
  const peer = new Peer();
  await peer.start();
  await peer.write(`${JSON.stringify(request(1, "subscriptions/listen"))}\n`);
  const start = performance.now();
  await peer.end();
  ok(performance.now() - start < 400);
});

Deno.test("StreamTransport closes, once, when nobody reads its output any more", async () => {
  let closings = 0;
  const broken = new WritableStream<Uint8Array>({
    write() {
      throw new Error("broken pipe");
    },
  });
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const transport = new StreamTransport(input.readable, broken);
  transport.onclose = () => closings++;
  transport.onerror = () => {};
  await transport.start();
  await rejects(transport.send({ jsonrpc: "2.0", id: 1, result: {} }), /broken pipe/);
  await transport.ended;
  await transport.close();
  strictEqual(closings, 1);
  await input.writable.close();
});

Deno.test("StreamTransport closes when an error answer cannot be written", async () => {
  const broken = new WritableStream<Uint8Array>({
    write() {
      throw new Error("broken pipe");
    },
  });
  const transport = new StreamTransport(ReadableStream.from([encoder.encode("{\n")]), broken);
  const failure = Promise.withResolvers<Error>();
  transport.onerror = failure.resolve;
  await transport.start();
  match((await failure.promise).message, /broken pipe/);
  await transport.ended;
});

Deno.test("StreamTransport closes when its input breaks", async () => {
  const input = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.error(new Error("input broke")),
  });
  const transport = new StreamTransport(input, new WritableStream());
  const failure = Promise.withResolvers<Error>();
  transport.onerror = failure.resolve;
  await transport.start();
  match((await failure.promise).message, /input broke/);
  await transport.ended;
});
