/**
 * supergateway, which stands between MCP over stdio and MCP over HTTP. A test that needs it is to be
 * ignored unless `HAS_PEERS`.
 *
 * @module
 */
import type { RunningMcpPeer } from "./mcp_peers.ts";
import { NODE, PROGRAMS } from "./peers.ts";
import { startPeer } from "./start_peer.ts";

/** The module that Node runs. */
export const SUPERGATEWAY = `${PROGRAMS}/node_modules/supergateway/dist/index.js`;

/**
 * Serves a program that speaks MCP over its standard input and output to clients over streamable
 * HTTP: one process for each session, and it accepts every `Host` and `Origin`.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startSupergateway(command: readonly string[]): Promise<RunningMcpPeer> {
  const peer = await startPeer({ path: "/healthy" }, (_home, port) =>
    Promise.resolve([
      [NODE, "--import", `${PROGRAMS}/loopback.mjs`, SUPERGATEWAY],
      ["--stdio", command.map(quote).join(" "), "--outputTransport", "streamableHttp"],
      ["--stateful", "--port", `${port}`, "--healthEndpoint", "/healthy", "--logLevel", "none"],
    ].flat()));
  return { ...peer, mcpUrl: `${peer.url}/mcp` };
}

/** For the shell, which reads the command. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
