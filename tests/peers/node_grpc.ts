/**
 * gRPC servers on Node whose calls are answered here. (On Deno 2.9.6, a server of HTTP/2 ends the
 * process when clients reset streams while data flows.)
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { fileURLToPath } from "node:url";
import type {
  Answer,
  Ending,
  RunningServer,
  ServerCall,
  ServerOptions,
  Texts,
} from "../../samples/grpc_target/grpc_server.ts";
import {
  type Harbour,
  type HarbourOptions,
  startHarbour,
} from "../../samples/grpc_target/server.ts";
import { NODE } from "./peers.ts";

const PROGRAM = fileURLToPath(new URL("./programs/grpc_server.mjs", import.meta.url));

/** A line from the server. */
interface Told {
  readonly id: number;
  readonly open?: string;
  readonly metadata?: Texts;
  readonly message?: string;
  readonly ended?: true;
  readonly cancelled?: true;
  readonly sent?: true;
}

/**
 * Starts a server of grpc-js on Node; disposing it kills it.
 *
 * @throws {Error} when it cannot listen.
 */
export async function startNodeServer(options: ServerOptions): Promise<RunningServer> {
  const { find, paths, host = "127.0.0.1", port = 0, tls } = options;
  const child = new Deno.Command(NODE, {
    args: [PROGRAM],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const writer = child.stdin.getWriter();
  const say = (message: object) =>
    writer.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`)).catch(() => {});
  await say({ paths, host, port, ...(tls === undefined ? {} : { tls }) });
  const lines = linesOf(child.stdout);
  const { value: first = "{}" } = await lines.next();
  const { port: bound, error } = JSON.parse(first);
  if (typeof bound !== "number") throw new Error(`the server did not start: ${error ?? "ended"}`);
  const listening = listen(lines, find, say);
  let isRunning = true;
  return {
    port: bound,
    async [Symbol.asyncDispose]() {
      if (!isRunning) return;
      isRunning = false;
      child.kill("SIGKILL");
      await Promise.all([child.status, listening, writer.abort().catch(() => {})]);
    },
  };
}

/** The harbour of the samples, served by Node. */
export function startNodeHarbour(options: HarbourOptions = {}): Promise<Harbour> {
  return startHarbour({ ...options, start: startNodeServer });
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + piece).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
}

async function listen(
  lines: AsyncGenerator<string, void>,
  find: ServerOptions["find"],
  say: (message: object) => Promise<void>,
): Promise<void> {
  const calls = new Map<number, NodeCall>();
  for await (const line of lines) {
    const told: Told = JSON.parse(line);
    const { id } = told;
    if (told.open === undefined) calls.get(id)?.hear(told);
    else {
      const call = new NodeCall(told.metadata ?? {}, (message) => say({ id, ...message }));
      calls.set(id, call);
      answer(call, find(told.open)).then((end) => {
        calls.delete(id);
        return call.signal.aborted ? undefined : say({ id, end });
      });
    }
  }
  for (const call of calls.values()) call.hear({ id: 0, cancelled: true });
}

async function answer(call: ServerCall, run: Answer | undefined): Promise<Ending> {
  try {
    return await run?.(call) ?? {};
  } catch (error) {
    return { code: 13, message: String(error) };
  }
}

/** One call at the server. */
class NodeCall implements ServerCall {
  readonly metadata: Texts;
  readonly #say: (message: object) => Promise<void>;
  readonly #gone = new AbortController();
  readonly #came: Uint8Array<ArrayBuffer>[] = [];
  #isEnded = false;
  #wake = () => {};
  #sent = () => {};

  constructor(metadata: Texts, say: (message: object) => Promise<void>) {
    this.metadata = metadata;
    this.#say = say;
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  hear({ message, ended, cancelled, sent }: Told): void {
    if (message !== undefined) this.#came.push(new Uint8Array(Buffer.from(message, "base64")));
    if (cancelled === true) this.#gone.abort();
    if (ended === true || cancelled === true) this.#isEnded = true;
    if (sent === true || cancelled === true) this.#sent();
    this.#wake();
  }

  async *messages(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    while (true) {
      const message = this.#came.shift();
      if (message !== undefined) yield message;
      else if (this.#isEnded) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  sendHeaders(headers: Texts): void {
    this.#say({ headers });
  }

  async send(message: Uint8Array): Promise<void> {
    if (this.#gone.signal.aborted) return;
    const sent = new Promise<void>((resolve) => this.#sent = resolve);
    await this.#say({ message: Buffer.from(message).toString("base64") });
    await sent;
  }
}
