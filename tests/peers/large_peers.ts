/**
 * Starts the servers that `deno task foreign` visits: they are too large for the gate, or come as
 * packages of the system. Each needs files that may be missing.
 *
 * @module
 */
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { freePort, type RunningPeer, startPeer } from "./start_peer.ts";

/** The folder of the large programs' `package.json`. */
export const LARGE_PROGRAMS = fileURLToPath(new URL("./programs/large", import.meta.url));

/** The program and its API documents. */
export const ETCD = {
  program: "/usr/bin/etcd",
  document: "/usr/share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz",
};

/** The program and the tables that it keeps its zones in. */
export const POWERDNS = {
  program: "/usr/sbin/pdns_server",
  schema: "/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql",
};

/** The program. */
export const RESTATE = {
  program: `${LARGE_PROGRAMS}/node_modules/@restatedev/restate-server-linux-x64/bin/restate-server`,
};

/**
 * etcd, a key-value store: REST by gRPC-Gateway; its Swagger 2.0 document is a file.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export function startEtcd(): Promise<RunningPeer> {
  return startPeer({ path: "/health" }, (home, port) => {
    const client = `http://127.0.0.1:${port}`;
    const peer = `http://127.0.0.1:${freePort()}`;
    return Promise.resolve([
      [ETCD.program, "--name", "one", "--data-dir", `${home}/data`],
      ["--listen-client-urls", client, "--advertise-client-urls", client],
      ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
      ["--initial-cluster", `one=${peer}`],
    ].flat());
  });
}

/** PowerDNS, which also answers questions by DNS. */
export interface RunningPowerDns extends RunningPeer {
  /** For UDP and TCP. */
  readonly dnsPort: number;
}

/**
 * PowerDNS, a name server: REST with Swagger 2.0 in YAML at `/api/docs`, all behind a key.
 *
 * @param key what the header `X-API-Key` must have.
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startPowerDns(key: string): Promise<RunningPowerDns> {
  const dnsPort = freePort();
  const readiness = { path: "/api/docs", headers: { "X-API-Key": key } };
  const peer = await startPeer(readiness, async (home, port) => {
    using database = new DatabaseSync(`${home}/zones`);
    database.exec(await Deno.readTextFile(POWERDNS.schema));
    return [
      [POWERDNS.program, `--config-dir=${home}`, `--socket-dir=${home}`, "--no-config"],
      ["--daemon=no", "--guardian=no", "--security-poll-suffix="],
      ["--local-address=127.0.0.1", `--local-port=${dnsPort}`, "--cache-ttl=0"],
      ["--launch=gsqlite3", `--gsqlite3-database=${home}/zones`],
      ["--webserver=yes", "--webserver-address=127.0.0.1", `--webserver-port=${port}`],
      ["--webserver-allow-from=127.0.0.1", "--api=yes", `--api-key=${key}`],
    ].flat();
  });
  return { ...peer, dnsPort };
}

/** Restate, which calls services by another port than that of its administration. */
export interface RunningRestate extends RunningPeer {
  /** Origin where services are called. */
  readonly ingress: string;
}

/**
 * Restate, a server of durable services: REST with OpenAPI 3.1 at `/openapi`.
 *
 * @throws {Error} when it ends or does not answer within half a minute.
 */
export async function startRestate(): Promise<RunningRestate> {
  const ingress = `127.0.0.1:${freePort()}`;
  const peer = await startPeer({ path: "/health" }, async (home, port) => {
    const config = `
      node-name = "one"
      base-dir = "${home}/data"
      listen-mode = "tcp"
      bind-address = "127.0.0.1:${freePort()}"
      default-num-partitions = 1
      disable-telemetry = true
      [admin]
      bind-address = "127.0.0.1:${port}"
      [ingress]
      bind-address = "${ingress}"
    `;
    await Deno.writeTextFile(`${home}/restate.toml`, config);
    return [RESTATE.program, "--no-logo", "--config-file", `${home}/restate.toml`];
  });
  return { ...peer, ingress: `http://${ingress}` };
}
