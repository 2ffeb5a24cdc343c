/**
 * What the conformance suite is held against: servers, and what can stand in front of them.
 * The gateways that the tests do not use are installed by `deno task conformance`.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { startHttp, stdioCommand } from "../../tests/fakes/bowire_process.ts";
import type { Home } from "../../tests/fakes/home.ts";
import { startEverything } from "../../tests/peers/mcp_peers.ts";
import { NODE } from "../../tests/peers/peers.ts";
import { type RunningPeer, startPeer } from "../../tests/peers/start_peer.ts";
import { startSupergateway, SUPERGATEWAY } from "../../tests/peers/supergateway.ts";

const PACKAGES = fileURLToPath(new URL("./programs/node_modules", import.meta.url));
const FIXTURE = fileURLToPath(new URL("../../tests/conformance/fixture/main.ts", import.meta.url));
/** The fixture over stdio. */
const FIXTURE_COMMAND = [
  Deno.execPath(),
  "run",
  "--cached-only",
  "--no-prompt",
  FIXTURE,
  "--stdio",
];
const TOKEN = "of-the-parent";

/** Where a set-up keeps what it starts. */
export interface Ground {
  readonly home: Home;
  /** Starts the fixture, which is the parent of the others; tells where it serves MCP. */
  startParent(token?: string): Promise<string>;
  /** Ends it when the set-up is over. */
  keep<Kept extends AsyncDisposable>(kept: Kept): Kept;
}

/** Starts one; tells where it serves MCP. */
export type Start = (ground: Ground) => Promise<string>;

/** The set-ups by their names. */
export const SET_UPS: Readonly<Record<string, Start>> = {
  "direct": ({ startParent }) => startParent(),
  "everything": everything,
  "attach http": async (ground) => attach(ground, await ground.startParent()),
  "attach http, token": async (ground) => {
    const file = await ground.home.put("token", TOKEN);
    return await attach(ground, await ground.startParent(TOKEN), "--attach-token-file", file);
  },
  "attach http of everything": async (ground) => attach(ground, await everything(ground)),
  "attach stdio behind supergateway": (ground) => relayBehindSupergateway(ground, "attach stdio"),
  "mcp-proxy": async ({ keep }) => `${keep(await startMcpProxy()).url}/mcp`,
  "supergateway": (ground) => behindSupergateway(ground, FIXTURE_COMMAND),
  "supergateway behind supergateway": (ground) => relayBehindSupergateway(ground, "supergateway"),
  "mcp-remote behind supergateway": (ground) => relayBehindSupergateway(ground, "mcp-remote"),
};

/** Commands that speak MCP over their standard input and output, and relay to a parent. */
export const RELAYS_OVER_STDIO = {
  "attach stdio": ({ home }: Ground, url: string) =>
    stdioCommand(home, ["mcp", "serve", "--attach", url]),
  "supergateway": (_ground: Ground, url: string) => [
    ...[NODE, SUPERGATEWAY, "--streamableHttp", url, "--logLevel", "none"],
  ],
  "mcp-remote": ({ home }: Ground, url: string) => [
    ...["/usr/bin/env", `MCP_REMOTE_CONFIG_DIR=${home.path}`],
    ...[NODE, `${PACKAGES}/mcp-remote/dist/proxy.js`, url],
  ],
} as const;

async function everything({ keep }: Ground): Promise<string> {
  return keep(await startEverything()).mcpUrl;
}

async function attach({ home, keep }: Ground, url: string, ...more: string[]): Promise<string> {
  return keep(await startHttp(home, ["--attach", url, ...more])).url;
}

async function relayBehindSupergateway(
  ground: Ground,
  relay: keyof typeof RELAYS_OVER_STDIO,
): Promise<string> {
  const url = await ground.startParent();
  return await behindSupergateway(ground, RELAYS_OVER_STDIO[relay](ground, url));
}

async function behindSupergateway(
  { keep }: Ground,
  command: readonly string[],
): Promise<string> {
  return keep(await startSupergateway(command)).mcpUrl;
}

function startMcpProxy(): Promise<RunningPeer> {
  return startPeer({ path: "/ping" }, (_home, port) =>
    Promise.resolve([
      [NODE, `${PACKAGES}/mcp-proxy/dist/bin/mcp-proxy.mjs`, "--host", "127.0.0.1"],
      ["--port", `${port}`, "--server", "stream", "--", ...FIXTURE_COMMAND],
    ].flat()));
}
