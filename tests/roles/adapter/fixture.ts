/**
 * `bowire --url … --enable-mcp-adapter` as a process of its own, with an official client.
 *
 * @module
 */
import {
  type CallToolRequestParams,
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
  type Tool,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { fail, ok } from "node:assert/strict";
import {
  denoArguments,
  environmentOf,
  type HttpBowire,
  type HttpOptions,
  startAdapter,
} from "../../fakes/bowire_process.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";

/** Sessions of the revisions up to 2025-11-25, or requests of 2026-07-28. */
export type Era = "legacy" | "modern";

/** How a client is made. */
export interface AgentOptions {
  /** @default "modern" */
  readonly era?: Era;
  /** Of every request over HTTP. */
  readonly headers?: Record<string, string>;
}

type CallOptions = Parameters<Client["callTool"]>[1];
type Arguments = CallToolRequestParams["arguments"];
const LISTS = ["tools", "resources", "prompts"] as const;

/** An official client that is connected. */
export class Agent implements AsyncDisposable {
  readonly client: Client;
  /** The lists that it was told of, in order. */
  readonly told: string[] = [];
  #next = Promise.withResolvers<void>();

  private constructor(era: Era) {
    const mode = era === "legacy" ? "legacy" : { pin: "2026-07-28" };
    this.client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode } });
    for (const list of LISTS) {
      this.client.setNotificationHandler(`notifications/${list}/list_changed`, () => {
        this.told.push(list);
        this.#next.resolve();
        this.#next = Promise.withResolvers();
      });
    }
  }

  /** Connects over HTTP; a client of sessions has its stream open then. */
  static async overHttp(
    url: string,
    { era = "modern", headers = {} }: AgentOptions = {},
  ): Promise<Agent> {
    const agent = new Agent(era);
    const streaming = Promise.withResolvers<void>();
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        if (init?.method === "GET" && response.ok) streaming.resolve();
        return response;
      },
    });
    await agent.client.connect(transport);
    if (era === "legacy") await within(streaming.promise, "the stream of the session");
    return agent;
  }

  /** Starts the program with the arguments, and connects over its standard input and output. */
  static async overStdio(
    home: Home,
    args: readonly string[],
    { era = "modern" }: AgentOptions = {},
  ): Promise<Agent> {
    const agent = new Agent(era);
    await agent.client.connect(
      new StdioClientTransport({
        command: Deno.execPath(),
        args: denoArguments(home, ["--enable-mcp-adapter", "--bind", "stdio", ...args]),
        env: environmentOf(home),
        cwd: home.path,
        stderr: "ignore",
      }),
    );
    return agent;
  }

  /** All tools, by name; never those of a cache. */
  async tools(): Promise<Map<string, Tool>> {
    const { tools } = await this.client.listTools(undefined, { cacheMode: "refresh" });
    return new Map(tools.map((tool) => [tool.name, tool]));
  }

  async call(name: string, args: Arguments = {}, options?: CallOptions): Promise<CallToolResult> {
    return await this.client.callTool({ name, arguments: args }, options);
  }

  /** Settles when it was told of a list so often. */
  async untilTold(count: number): Promise<readonly string[]> {
    while (this.told.length < count) {
      await within(this.#next.promise, `${count} changes; it was told of ${this.told}`);
    }
    return this.told;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.client.close();
  }
}

/** An adapter that listens, and a client of it. */
export interface Adapted extends AsyncDisposable {
  readonly home: Home;
  readonly server: HttpBowire;
  readonly agent: Agent;
}

/** Starts an adapter over HTTP and connects to it. */
export async function openAdapted(
  args: readonly string[],
  options: HttpOptions & AgentOptions & { readonly prepare?: (home: Home) => Promise<unknown> } =
    {},
): Promise<Adapted> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await Home.make());
  await options.prepare?.(home);
  const server = stack.use(await startAdapter(home, args, options));
  const agent = stack.use(await Agent.overHttp(server.url, options));
  const kept = stack.move();
  return { home, server, agent, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The text of a result's blocks. */
export function textOf({ content }: CallToolResult): string {
  return content.map((block) => block.type === "text" ? block.text : `[${block.type}]`).join("\n");
}

/** The text of a result that went well. */
export function goodText(result: CallToolResult): string {
  ok(result.isError !== true, textOf(result));
  return textOf(result);
}

/** The data of a result, good or bad. */
// deno-lint-ignore no-explicit-any -- each answer has its own shape, and each test asserts on it
export function dataOf(result: CallToolResult): any {
  return result.structuredContent ?? fail(`there is no data: ${textOf(result)}`);
}

/** The error of a result that is one. */
// deno-lint-ignore no-explicit-any -- as above
export function errorOf(result: CallToolResult): any {
  ok(result.isError === true, `it went well: ${textOf(result)}`);
  return dataOf(result).error;
}

/** Where the adapter tells of itself, and is told to look again. */
export function infoUrl({ url }: HttpBowire, path = ""): string {
  return new URL(`/api/mcp-adapter${path}`, url).href;
}

/** Has the adapter look at its APIs again. */
// deno-lint-ignore no-explicit-any -- as above
export async function rediscover(server: HttpBowire): Promise<any> {
  const response = await fetch(infoUrl(server, "/rediscover"), { method: "POST" });
  const answer = await response.json();
  ok(response.ok, JSON.stringify(answer));
  return answer;
}
