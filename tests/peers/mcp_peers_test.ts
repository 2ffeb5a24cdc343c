import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import {
  EVERYTHING,
  filesystemServer,
  type McpCommand,
  memoryServer,
  SEQUENTIAL_THINKING,
  startEverything,
  startEverythingSse,
} from "./mcp_peers.ts";
import { HAS_PEERS } from "./peers.ts";

function peerTest(name: string, fn: () => Promise<void>) {
  Deno.test({ name, ignore: !HAS_PEERS, fn });
}

async function connect(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
): Promise<AsyncDisposable & { client: Client }> {
  const client = new Client({ name: "test client", version: "1.0" });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** Nothing of this process's environment is passed on. */
async function start({ command, args, env }: McpCommand) {
  const assignments = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return await connect(
    new StdioClientTransport({
      command: "/usr/bin/env",
      args: ["--ignore-environment", ...assignments, command, ...args],
      stderr: "ignore",
    }),
  );
}

async function folderOfOwn(): Promise<AsyncDisposable & { path: string }> {
  const path = await Deno.makeTempDir({ prefix: "bowire-peer-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

async function toolNames({ client }: { client: Client }): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

peerTest("EVERYTHING has tools, resources, templates and prompts", async () => {
  await using server = await start(EVERYTHING);
  const { client } = server;
  deepStrictEqual([
    (await client.listTools()).tools.length,
    (await client.listResources()).resources.length,
    (await client.listResourceTemplates()).resourceTemplates.length,
    (await client.listPrompts()).prompts.length,
  ], [13, 7, 2, 4]);
});

peerTest("filesystemServer reads what lies in its folder, and has tools alone", async () => {
  await using folder = await folderOfOwn();
  await Deno.writeTextFile(`${folder.path}/crew.txt`, "bo");
  await using server = await start(filesystemServer(folder.path));
  deepStrictEqual(Object.keys(server.client.getServerCapabilities() ?? {}), ["tools"]);
  strictEqual((await toolNames(server)).length, 14);
  const read = (path: string) =>
    server.client.callTool({ name: "read_text_file", arguments: { path } });
  deepStrictEqual((await read(`${folder.path}/crew.txt`)).structuredContent, { content: "bo" });
  strictEqual((await read("/etc/hostname")).isError, true);
});

peerTest("memoryServer keeps its graph in the file that it is given", async () => {
  await using folder = await folderOfOwn();
  await using server = await start(memoryServer(`${folder.path}/graph.jsonl`));
  strictEqual((await toolNames(server)).length, 9);
  const bo = { name: "bo", entityType: "sailor", observations: ["at sea"] };
  const made = await server.client.callTool({
    name: "create_entities",
    arguments: { entities: [bo] },
  });
  deepStrictEqual(made.structuredContent, { entities: [bo] });
  deepStrictEqual(JSON.parse(await Deno.readTextFile(`${folder.path}/graph.jsonl`)), {
    type: "entity",
    ...bo,
  });
});

peerTest("SEQUENTIAL_THINKING has one tool", async () => {
  await using server = await start(SEQUENTIAL_THINKING);
  deepStrictEqual(await toolNames(server), ["sequentialthinking"]);
});

peerTest("startEverything serves streamable HTTP on loopback alone, with sessions", async () => {
  await using peer = await startEverything();
  const transport = new StreamableHTTPClientTransport(new URL(peer.mcpUrl));
  await using server = await connect(transport);
  strictEqual((await toolNames(server)).length, 13);
  match(transport.sessionId ?? "", /^[\w-]{36}$/);
  // Nothing of the environment of the tests is there to be asked for.
  const { content } = await server.client.callTool({ name: "get-env" });
  deepStrictEqual(content, [{
    type: "text",
    text: JSON.stringify({ PORT: new URL(peer.url).port }, null, 2),
  }]);
  // 127.0.0.1 in the notation of Linux.
  deepStrictEqual(await addressesOf(Number(new URL(peer.url).port)), ["0100007F"]);
});

/** Where a port is listened on, as `/proc/net` has it. */
async function addressesOf(port: number): Promise<string[]> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const tables = await Promise.all(
    ["/proc/net/tcp", "/proc/net/tcp6"].map((path) => Deno.readTextFile(path)),
  );
  return tables.join("").split("\n").map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => state === "0A" && local.endsWith(suffix))
    .map(([, local = ""]) => local.slice(0, -suffix.length));
}

peerTest("startEverythingSse serves the stream of revision 2024-11-05", async () => {
  await using peer = await startEverythingSse();
  const refused = await fetch(peer.mcpUrl, { method: "POST", body: "{}" });
  await refused.body?.cancel();
  strictEqual(refused.status, 404);
  const response = await fetch(peer.mcpUrl);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader?.read() ?? {};
  await reader?.cancel();
  match(value ?? "", /^event: endpoint\ndata: \/message\?sessionId=/);
});
