/**
 * MCP servers that no one here wrote, of the `programs`: how each is started over stdio, and the
 * one that also speaks HTTP. A test that needs one is to be ignored unless `HAS_PEERS`.
 *
 * @module
 */
import { NODE, PROGRAMS, SERVER_EVERYTHING } from "./peers.ts";
import { type RunningPeer, startPeer } from "./start_peer.ts";

/** How a server is started that speaks MCP over its standard input and output. */
export interface McpCommand {
  readonly command: string;
  readonly args: string[];
  /** All of the environment that it needs. */
  readonly env: Record<string, string>;
}

/**
 * The reference server with a bit of everything: 13 tools, 7 resources, 2 templates of resources,
 * 4 prompts, completions, logging, tasks, progress and subscriptions. Its tool `get-env` answers
 * with all variables of its environment.
 */
export const EVERYTHING: McpCommand = node(SERVER_EVERYTHING, "stdio");

/**
 * The reference server of files: 14 tools with output schemas, and nothing besides tools. It takes
 * the client's roots, where there are any, in place of the folders.
 *
 * @param folders the only ones that it may touch; one at least has to exist.
 */
export function filesystemServer(...folders: string[]): McpCommand {
  return node(reference("filesystem"), ...folders);
}

/**
 * The reference server of a knowledge graph: 9 tools with output schemas, and the graph as a
 * resource that can be subscribed to.
 *
 * @param file where the graph is kept, as lines of JSON; it need not exist.
 */
export function memoryServer(file: string): McpCommand {
  return { ...node(reference("memory")), env: { MEMORY_FILE_PATH: file } };
}

/** The reference server with one tool, `sequentialthinking`, whose description is 2.8 kB long. */
export const SEQUENTIAL_THINKING: McpCommand = {
  ...node(reference("sequential-thinking")),
  // Else each thought is drawn in a box on standard error.
  env: { DISABLE_THOUGHT_LOGGING: "true" },
};

/** A server that speaks MCP over HTTP. */
export interface RunningMcpPeer extends RunningPeer {
  /** Where clients connect to. */
  readonly mcpUrl: string;
}

/**
 * The server of {@linkcode EVERYTHING} over streamable HTTP, with sessions and streams that can be
 * resumed, answers as server-sent events; it accepts every `Host` and `Origin`.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export function startEverything(): Promise<RunningMcpPeer> {
  // No session is named.
  return startEverythingOver("streamableHttp", { path: "/mcp", status: 400 });
}

/**
 * The server of {@linkcode EVERYTHING} over the transport of revision 2024-11-05: `GET` opens the
 * stream, whose first event names the address for `POST`. A `POST` to the stream's own address is
 * answered with 404.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export function startEverythingSse(): Promise<RunningMcpPeer> {
  return startEverythingOver("sse", { path: "/sse", status: 200 });
}

async function startEverythingOver(
  transport: string,
  readiness: { path: string; status: number },
): Promise<RunningMcpPeer> {
  const peer = await startPeer(readiness, (_home, port) =>
    Promise.resolve([
      // An environment with nothing to tell.
      ["/usr/bin/env", "--ignore-environment", `PORT=${port}`],
      [NODE, "--import", `${PROGRAMS}/loopback.mjs`, SERVER_EVERYTHING, transport],
    ].flat()));
  return { ...peer, mcpUrl: peer.url + readiness.path };
}

function node(...args: string[]): McpCommand {
  return { command: NODE, args, env: {} };
}

/** One of the servers of the protocol's own repository. */
function reference(name: string): string {
  return `${PROGRAMS}/node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
}
