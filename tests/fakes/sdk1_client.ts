/**
 * The official client of SDK 1, a program of its own under Node
 * (`peers/programs/sdk1_client.mjs`): so its many dependencies are none of the project's.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { NODE } from "../peers/peers.ts";
import { linesOf, type ToolResult } from "./conversation.ts";
import { within } from "./deadline.ts";
import type {
  CallOptions,
  ClientOptions,
  ListedTool,
  TestClient,
  ToldProgress,
} from "./test_client.ts";

const PROGRAM = fileURLToPath(new URL("../peers/programs/sdk1_client.mjs", import.meta.url));

/** What the program says. */
interface Said {
  readonly revision?: string;
  readonly question?: string;
  readonly id?: number;
  readonly progress?: ToldProgress;
  readonly result?: unknown;
  readonly error?: { readonly code?: number; readonly message: string };
}

/** Drives the program, one message a line. */
export class Sdk1Client implements TestClient {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #options: ClientOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #hearing = new Map<number, (progress: ToldProgress) => void>();
  readonly #connected = Promise.withResolvers<void>();
  readonly #reading: Promise<void>;
  #lastId = 0;
  revision: string | undefined;

  private constructor(server: Readonly<Record<string, unknown>>, options: ClientOptions) {
    const { name = "test client", onQuestion } = options;
    this.#options = options;
    this.#child = new Deno.Command(NODE, {
      args: [PROGRAM, JSON.stringify({ ...server, name, canAsk: onQuestion !== undefined })],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /**
   * Starts the program and waits until it is connected.
   *
   * @param server `{ stdio: { command, args, env, cwd } }` or `{ http: { url, headers } }`.
   */
  static async connect(
    server: Readonly<Record<string, unknown>>,
    options: ClientOptions,
  ): Promise<Sdk1Client> {
    const client = new Sdk1Client(server, options);
    await within(client.#connected.promise, "the client of SDK 1 to connect");
    return client;
  }

  async listTools(): Promise<readonly ListedTool[]> {
    return await this.#ask("listTools", {}) as readonly ListedTool[]; // the client has checked it
  }

  async callTool(
    name: string,
    args: Record<string, unknown> = {},
    options: CallOptions = {},
  ): Promise<ToolResult> {
    return await this.#ask("callTool", { name, arguments: args }, options) as ToolResult;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await within(this.#child.status, "the client of SDK 1 to end");
    await this.#reading;
  }

  async #ask(
    method: string,
    params: unknown,
    { signal, onProgress }: CallOptions = {},
  ): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    if (onProgress !== undefined) this.#hearing.set(id, onProgress);
    signal?.addEventListener("abort", () => this.#say({ cancel: id }), { once: true });
    await this.#say({ id, method, params, wantsProgress: onProgress !== undefined });
    return await within(answer.promise, `${method} of SDK 1`);
  }

  async #say(message: unknown): Promise<void> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
  }

  async #read(): Promise<void> {
    for await (const line of linesOf(this.#child.stdout)) {
      const said: Said = JSON.parse(line);
      if (said.question !== undefined) {
        await this.#say({ reaction: this.#options.onQuestion?.(said.question) });
      } else if (said.id === undefined) {
        this.revision = said.revision;
        this.#connected.resolve();
      } else if (said.progress !== undefined) {
        this.#hearing.get(said.id)?.(said.progress);
      } else if (said.error === undefined) this.#waiting.get(said.id)?.resolve(said.result);
      else {
        const { code, message } = said.error;
        this.#waiting.get(said.id)?.reject(Object.assign(new Error(message), { code }));
      }
    }
    this.#connected.reject(new Error("the client of SDK 1 ended before it was connected"));
  }
}
