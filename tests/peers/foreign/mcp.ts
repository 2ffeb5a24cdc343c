/**
 * What the visits of MCP servers have in common: each goes through Bowire as a library, where one
 * call finds what the call before left, and through its command line, a process each.
 *
 * @module
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createBowire, type InvokeRequest } from "../../../mod.ts";
import { flagsFor, runBowire } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import type { McpCommand } from "../mcp_peers.ts";
import type { Json } from "../rest_agent.ts";
import type { Tally } from "./visit.ts";

/** How a server is reached: started, or at a URL. */
export type McpWay = McpCommand | { readonly url: string };

/** The result of a tool. */
export interface ToolAnswer {
  readonly isError: boolean;
  /** Its texts, joined. */
  readonly text: string;
  /** All parts of its content. */
  readonly content: readonly Json[];
}

/** Calls a tool and looks at its result. */
export type CallTool = (
  name: string,
  args: Record<string, unknown>,
  check: (answer: ToolAnswer) => void | Promise<void>,
  options?: Pick<InvokeRequest, "validate">,
) => Promise<void>;

/** A server behind a Bowire. */
export interface McpVisit extends AsyncDisposable {
  readonly call: CallTool;
}

/**
 * Opens a Bowire for a server and compares the tools that it finds with those that the official
 * client lists.
 *
 * @param expected the revision that is spoken, and the number of tools.
 */
export async function openVisit(
  tally: Tally,
  way: McpWay,
  expected: { readonly revision: string; readonly tools: number },
): Promise<McpVisit> {
  await using cleanup = new AsyncDisposableStack();
  const home = cleanup.use(await Home.make());
  const url = "url" in way ? `mcp@${way.url}` : "stdio://visited";
  const bowire = cleanup.use(
    await createBowire({
      home: home.path,
      sandbox: "none",
      ...("url" in way ? { allowedServerUrls: [way.url] } : { programs: { visited: way } }),
    }),
  );
  await tally.run("discovery", async () => {
    const { services, attempts } = await bowire.discover(url);
    const tools = services.find(({ name }) => name === "Tools")?.methods.map(({ name }) => name);
    deepStrictEqual(tools?.toSorted(), await listDirectly(way), JSON.stringify(attempts));
    strictEqual(tools.length, expected.tools);
  });
  await tally.run("bowire list Tools", async () => {
    const [args, flags] = argumentsFor(home, way);
    const { stdout, stderr } = await runBowire(home, ["list", "Tools", ...args], { flags });
    strictEqual(stdout.trim().split("\n").length, expected.tools, stderr);
  });
  const call: CallTool = (name, args, check, options) =>
    tally.run(name, async () => {
      const messages = [JSON.stringify(args)];
      const request = { url, service: "Tools", method: name, messages, ...options };
      const { invocation: { ok, response, metadata } } = await bowire.invoke(request);
      strictEqual(metadata["mcp_protocol_version"], expected.revision);
      const { content, isError = false } = JSON.parse(response ?? "");
      strictEqual(isError, !ok);
      const texts = content.filter(({ type }: Json) => type === "text");
      await check({ isError, content, text: texts.map(({ text }: Json) => text).join("\n") });
    });
  const kept = cleanup.move();
  return { call, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The names of a server's tools in order, without a Bowire between. */
async function listDirectly(way: McpWay): Promise<string[]> {
  const client = new Client({ name: "foreign", version: "1.0" }, {
    versionNegotiation: { mode: "auto" },
  });
  await client.connect(
    "url" in way
      ? new StreamableHTTPClientTransport(new URL(way.url))
      : new StdioClientTransport({ ...way, stderr: "ignore" }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name).toSorted();
}

/** What names a server on the command line, and the permissions that its Deno needs. */
function argumentsFor(home: Home, way: McpWay): [args: string[], flags: string[]] {
  const flags = flagsFor(home);
  if ("url" in way) return [["--url", `mcp@${way.url}`], flags];
  const { command, args, env } = way;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    [
      ...["--mcp-command", [command, ...args].map((word) => JSON.stringify(word)).join(" ")],
      ...variables.flatMap((variable) => ["--mcp-env", variable]),
    ],
    [...flags, `--allow-run=${command}`],
  ];
}

/** A folder that is removed when it is disposed. */
export async function folderOfOwn(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await Deno.makeTempDir({ prefix: "bowire-peer-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
