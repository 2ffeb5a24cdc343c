/**
 * MCP over stdio, line by line, without an SDK: what is sent and what comes back is seen as it is.
 *
 * @module
 */
import { fail, ok } from "node:assert/strict";
import { type Running, startBowire, type StartOptions } from "./bowire_process.ts";
import { within } from "./deadline.ts";
import type { Home } from "./home.ts";

/** A JSON-RPC message as it came. */
export interface Message {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The result of `tools/call`. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  // deno-lint-ignore no-explicit-any -- each tool has its own shape, and each test asserts on it
  readonly structuredContent: any;
  readonly isError?: boolean;
}

/** A conversation with a server on the other end of a pipe. */
export class Conversation implements AsyncDisposable {
  readonly #running: Running;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncIterator<string>;
  readonly #early: Message[] = [];
  #lastId = 0;
  /** Every line of standard output that was looked at. */
  readonly lines: string[] = [];

  constructor(running: Running) {
    this.#running = running;
    this.#input = running.child.stdin.getWriter();
    this.#lines = linesOf(running.child.stdout);
  }

  /** Settles when the process has ended. */
  get ended(): Promise<Deno.CommandStatus> {
    return within(this.#running.ended, "the process to end", this.#running.stderr);
  }

  get stderr(): string {
    return this.#running.stderr();
  }

  get pid(): number {
    return this.#running.child.pid;
  }

  /** Sends a signal to the process. */
  kill(signal: Deno.Signal): void {
    this.#running.child.kill(signal);
  }

  /** Sends bytes as they are. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    await this.#input.write(bytes);
  }

  /** Sends a line: text as it is, anything else as JSON. */
  async send(message: unknown): Promise<void> {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    await this.sendBytes(new TextEncoder().encode(`${text}\n`));
  }

  /** Sends a request without waiting. @returns its id. */
  async start(method: string, params: Record<string, unknown> = {}): Promise<number> {
    const id = ++this.#lastId;
    await this.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** Sends a request and waits for its answer. */
  async request(method: string, params: Record<string, unknown> = {}): Promise<Message> {
    return await this.answerTo(await this.start(method, params));
  }

  /** The `initialize` handshake. @returns its result. */
  async initialize(
    clientName = "test client",
    capabilities: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    const { result } = await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities,
      clientInfo: { name: clientName, version: "1.0" },
    });
    ok(result, "initialize was refused");
    await this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return result;
  }

  /** Calls a tool; a protocol error fails the test. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
    const answer = await this.request("tools/call", { name, arguments: args });
    return resultOf(answer);
  }

  /** The answer with this id; what comes before it is kept for {@linkcode next}. */
  async answerTo(id: string | number | null): Promise<Message> {
    const known = this.#early.findIndex((message) => isAnswerTo(message, id));
    if (known !== -1) return this.#early.splice(known, 1)[0] ?? fail("unreachable");
    while (true) {
      const message = await this.#read();
      if (isAnswerTo(message, id)) return message;
      this.#early.push(message);
    }
  }

  /** The next message that nobody waited for. */
  async next(): Promise<Message> {
    return this.#early.shift() ?? await this.#read();
  }

  async #read(): Promise<Message> {
    const { value, done } = await within(
      this.#lines.next(),
      "a line of standard output",
      this.#running.stderr,
    );
    if (done === true) throw new Error(`standard output ended: ${this.stderr}`);
    this.lines.push(value);
    const message: Message = JSON.parse(value);
    ok(message.jsonrpc === "2.0", `not a JSON-RPC message: ${value}`);
    return message;
  }

  /** Ends standard input, and waits for the process to end. @returns its status and the rest of its lines. */
  async finish(): Promise<{ code: number; rest: string[] }> {
    await this.#input.close();
    return await this.drain();
  }

  /** Waits for the process to end. @returns its exit code and the rest of its lines. */
  async drain(): Promise<{ code: number; rest: string[] }> {
    const rest: string[] = [];
    const { code } = await this.ended;
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      rest.push(line.value);
    }
    this.lines.push(...rest);
    return { code, rest };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running[Symbol.asyncDispose]();
    await this.#lines.return?.();
    await this.#input.abort().catch(() => {}); // the reader is gone
  }
}

/** Starts `mcp serve` over stdio. */
export function startStdio(
  home: Home,
  args: readonly string[] = [],
  options: StartOptions = {},
): Conversation {
  return new Conversation(startBowire(home, ["mcp", "serve", ...args], options));
}

/** The result of a `tools/call` answer. */
export function resultOf(answer: Message): ToolResult {
  ok(answer.result, `the call was refused: ${JSON.stringify(answer.error)}`);
  return answer.result as unknown as ToolResult; // the tests assert on its parts
}

function isAnswerTo(message: Message, id: string | number | null): boolean {
  return message.id === id && message.method === undefined;
}

/** The lines of a stream of text, without their ends. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
