/**
 * MCP over stdio as lines, with nothing between the clock and the program.
 *
 * @module
 */
import type { McpCommand } from "../../../tests/peers/mcp_peers.ts";

/** A line that came. */
interface Received {
  readonly bytes: number;
  // deno-lint-ignore no-explicit-any -- each result has its own shape
  readonly result: any;
}

/** The list of tools. */
export interface ToolList {
  readonly names: readonly string[];
  /** Of all messages that it came in. */
  readonly bytes: number;
}

/** A running server; disposing it ends the process. */
export class McpSession implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: AsyncIterator<Uint8Array<ArrayBuffer>>;
  #rest = new Uint8Array();
  #lastId = 0;

  constructor({ command, args, env }: McpCommand) {
    this.#child = new Deno.Command(command, {
      args,
      env,
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout[Symbol.asyncIterator]();
  }

  /** Introduces itself, in revision 2025-11-25. */
  async initialize(): Promise<void> {
    await this.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    });
    await this.#send({ method: "notifications/initialized" });
  }

  /** All pages of the list. */
  async listTools(): Promise<ToolList> {
    const names: string[] = [];
    let total = 0;
    let cursor: string | undefined;
    do {
      const { bytes, result } = await this.request("tools/list", { cursor });
      names.push(...result.tools.map(({ name }: { name: string }) => name));
      total += bytes;
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    return { names, bytes: total };
  }

  /** @throws {Error} when the answer is an error, or the program ends without an answer. */
  async request(method: string, params: object): Promise<Received> {
    const id = ++this.#lastId;
    await this.#send({ id, method, params });
    for (;;) {
      const line = await this.#nextLine();
      const message = JSON.parse(new TextDecoder().decode(line));
      if (message.id !== id || message.method !== undefined) continue;
      if (message.error !== undefined) throw new Error(`${method}: ${message.error.message}`);
      return { bytes: line.length, result: message.result };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await Promise.all([this.#child.status, this.#output.return?.()]);
    await this.#input.abort().catch(() => {}); // nobody reads it any more
  }

  async #send(message: object): Promise<void> {
    const line = JSON.stringify({ jsonrpc: "2.0", ...message });
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
  }

  async #nextLine(): Promise<Uint8Array> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for (let part = this.#rest;; part = await this.#read()) {
      const end = part.indexOf(10);
      parts.push(end === -1 ? part : part.subarray(0, end));
      if (end === -1) continue;
      this.#rest = part.slice(end + 1);
      return await new Blob(parts).bytes();
    }
  }

  async #read(): Promise<Uint8Array<ArrayBuffer>> {
    const { done, value } = await this.#output.next();
    if (done === true) throw new Error("the program has ended");
    return value;
  }
}
