/**
 * What the conformance suite is held against: servers, and what can stand in front of them.
 * `install.ts` installs the gateways that the tests do not use.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { startFixture } from "../../tests/conformance/fixture/server.ts";
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
  /** Ends it when the set-up is over. */
  keep<Kept extends AsyncDisposable>(kept: Kept): Kept;
}

/** Starts one; tells where it serves MCP. */
export type Start = (ground: Ground) => Promise<string>;

/** The set-ups by their names. */
export const SET_UPS: Readonly<Record<string, Start>> = {
  "direct": (ground) => Promise.resolve(fixture(ground)),
  "everything": everything,
  "attach http": (ground) => attach(ground, fixture(ground)),
  "attach http, token": async (ground) => {
    const file = await ground.home.put("token", TOKEN);
    return await attach(ground, fixture(ground, TOKEN), "--attach-token-file", file);
  },
  "attach http of everything": async (ground) => attach(ground, await everything(ground)),
  "attach stdio behind supergateway": (ground) =>
    behindSupergateway(
      ground,
      stdioCommand(ground.home, ["mcp", "serve", "--attach", fixture(ground)]),
    ),
  "mcp-proxy": async ({ keep }) => `${keep(await startMcpProxy()).url}/mcp`,
  "supergateway": (ground) => behindSupergateway(ground, FIXTURE_COMMAND),
  "supergateway behind supergateway": (ground) =>
    behindSupergateway(ground, [
      ...[NODE, SUPERGATEWAY, "--streamableHttp", fixture(ground), "--logLevel", "none"],
    ]),
  "mcp-remote behind supergateway": (ground) =>
    behindSupergateway(ground, [
      ...["/usr/bin/env", `MCP_REMOTE_CONFIG_DIR=${ground.home.path}`],
      ...[NODE, `${PACKAGES}/mcp-remote/dist/proxy.js`, fixture(ground)],
    ]),
};

function fixture({ keep }: Ground, token?: string): string {
  return keep(startFixture(token === undefined ? {} : { token })).url;
}

async function everything({ keep }: Ground): Promise<string> {
  return keep(await startEverything()).mcpUrl;
}

async function attach({ home, keep }: Ground, url: string, ...more: string[]): Promise<string> {
  return keep(await startHttp(home, ["--attach", url, ...more])).url;
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
