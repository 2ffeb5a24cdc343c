/**
 * A visit of PowerDNS: a Swagger 2.0 document in YAML with merge keys, and an API key.
 *
 * @module
 */
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { runBowire } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import { POWERDNS, type RunningPowerDns, startPowerDns } from "../large_peers.ts";
import { type Json, RestAgent } from "../rest_agent.ts";
import type { CallMethod, Tally, Tour } from "./visit.ts";

const KEY = { "X-API-Key": "harbour key" };
const SERVICES = "Default servers zones config stats search zonemetadata zonecryptokey tsigkey " +
  "autoprimary";
const SERVER = { server_id: "localhost" };
const ZONE = { ...SERVER, zone_id: "ships.example." };

/** The visit. */
export const powerDnsTour: Tour = {
  name: "PowerDNS",
  needs: Object.values(POWERDNS),
  packages: ["pdns-server", "pdns-backend-sqlite3"],
  async run(tally) {
    await using server = await startPowerDns(KEY["X-API-Key"]);
    await discover(tally, server);
    await using agent = await RestAgent.connect({ url: `${server.url}/api/docs`, metadata: KEY });
    const visit: Visit = {
      server,
      call: tally.caller(agent),
      ask: async (path) => (await fetch(`${server.url}/api/v1${path}`, { headers: KEY })).json(),
      resolve: (name, type) =>
        Deno.resolveDns(name, type, {
          nameServer: { ipAddr: "127.0.0.1", port: server.dnsPort },
        }),
    };
    await keepZone(visit);
    await searchServer(visit);
    await keepMetadata(visit);
    await deleteZone(visit);
  },
};

interface Visit {
  readonly server: RunningPowerDns;
  readonly call: CallMethod;
  /** What PowerDNS answers without Bowire. */
  ask(path: string): Promise<Json>;
  /** What PowerDNS answers by DNS. */
  resolve(name: string, type: "A" | "TXT"): Promise<unknown[]>;
}

async function discover(tally: Tally, { url }: RunningPowerDns): Promise<void> {
  await using home = await Home.make();
  const args = ["list", "--url", `${url}/api/docs`];
  await tally.run("bowire list without the key", async () => {
    const { code, stderr } = await runBowire(home, args);
    strictEqual(code, 1);
    match(stderr, /asks for credentials \(X-API-Key realm="PowerDNS"\)/);
  });
  await tally.run("bowire list", async () => {
    const key = ["-H", `X-API-Key: ${KEY["X-API-Key"]}`];
    const { stdout, stderr } = await runBowire(home, [...args, ...key]);
    strictEqual(stdout.trim().replaceAll("\n", " "), SERVICES, stderr);
  });
}

async function keepZone({ call, ask, resolve }: Visit): Promise<void> {
  const records = (...contents: string[]) =>
    contents.map((content) => ({ content, disabled: false }));
  const address = { name: "bo.ships.example.", type: "A", ttl: 60, changetype: "REPLACE" };
  const text = { name: "bo.ships.example.", type: "TXT", ttl: 60, changetype: "REPLACE" };
  const zone = {
    name: "ships.example.",
    kind: "Native",
    nameservers: ["ns.ships.example."],
    rrsets: [
      {
        ...address,
        records: records("192.0.2.1", "192.0.2.2"),
        comments: [{ content: "in port", account: "bo" }],
      },
      { ...text, records: records('"ahoy; \\"bo\\" ü"') },
    ],
  };
  // The query has a parameter of the name of one of the body's properties.
  await call("zones/createZone", { ...SERVER, rrsets: false, body: zone }, async (answer) => {
    deepStrictEqual([answer.code, answer.json.kind], [201, "Native"], answer.text);
    strictEqual(answer.json.rrsets, undefined);
    deepStrictEqual((await resolve("bo.ships.example.", "TXT")).length, 1);
    const found = await resolve("bo.ships.example.", "A");
    deepStrictEqual(found.toSorted(), ["192.0.2.1", "192.0.2.2"]);
  });
  const only = { rrset_name: "bo.ships.example.", rrset_type: "A" };
  await call("zones/listZone", { ...ZONE, ...only }, async (answer) => {
    const path = "/servers/localhost/zones/ships.example.";
    deepStrictEqual(answer.json, await ask(`${path}?${new URLSearchParams(only)}`));
    const [first, ...others] = answer.json.rrsets;
    deepStrictEqual([first.ttl, first.comments[0].content, others], [60, "in port", []]);
  });
  const change = { ...ZONE, rrsets: [{ ...address, records: records("192.0.2.3") }] };
  await call("zones/patchZone", change, async (answer) => {
    deepStrictEqual([answer.code, answer.text], [204, ""], answer.text);
    deepStrictEqual(await resolve("bo.ships.example.", "A"), ["192.0.2.3"]);
  });
  await call("zones/putZone", { ...ZONE, account: "harbour" }, async (answer) => {
    strictEqual(answer.code, 204, answer.text);
    const [kept] = await ask("/servers/localhost/zones?zone=ships.example.");
    strictEqual(kept.account, "harbour");
  });
  await call("zones/axfrExportZone", ZONE, (answer) => {
    match(answer.text, /bo\.ships\.example\.\\t60\\tIN\\tA\\t192\.0\.2\.3/);
  });
}

async function searchServer({ call, ask }: Visit): Promise<void> {
  await call("servers/listServers", {}, async (answer) => {
    deepStrictEqual(answer.json, await ask("/servers"));
  });
  const query = { ...SERVER, q: "bo.*example*", max: 1, object_type: "record" };
  await call("search/searchData", query, ({ json }) => {
    deepStrictEqual(
      json.map(({ name, zone_id }: Record<string, string>) => [name, zone_id]),
      [["bo.ships.example.", "ships.example."]],
    );
  });
  const statistic = { ...SERVER, statistic: "tcp-queries", includerings: false };
  await call("stats/getStats", statistic, async ({ json }) => {
    deepStrictEqual(json, await ask("/servers/localhost/statistics?statistic=tcp-queries"));
  });
  await call("servers/cacheFlushByName", { ...SERVER, domain: "ships.example." }, ({ json }) => {
    strictEqual(json.result, "Flushed cache.");
  });
}

async function keepMetadata({ call, ask }: Visit): Promise<void> {
  const path = "/servers/localhost/zones/ships.example./metadata/X-CREW";
  const added = { ...ZONE, kind: "X-CREW", metadata: ["anna", "bo"] };
  await call("zonemetadata/createMetadata", added, async ({ code, text }) => {
    strictEqual(Math.trunc(code / 100), 2, text);
    deepStrictEqual(await ask(path), {
      kind: "X-CREW",
      type: "Metadata",
      metadata: added.metadata,
    });
  });
  const entry = { ...ZONE, metadata_kind: "X-CREW" };
  await call("zonemetadata/modifyMetadata", { ...entry, metadata: ["cy"] }, async ({ text }) => {
    deepStrictEqual(await ask(path), { kind: "X-CREW", type: "Metadata", metadata: ["cy"] }, text);
  });
  await call("zonemetadata/getMetadata", entry, ({ json }) => {
    deepStrictEqual(json.metadata, ["cy"]);
  });
  await call("zonemetadata/deleteMetadata", entry, async ({ code }) => {
    strictEqual(Math.trunc(code / 100), 2);
    deepStrictEqual(await ask(path), { kind: "X-CREW", type: "Metadata", metadata: [] });
  });
}

async function deleteZone({ call, resolve }: Visit): Promise<void> {
  await call("zones/deleteZone", ZONE, async (answer) => {
    strictEqual(answer.code, 204, answer.text);
    await rejects(resolve("bo.ships.example.", "A"));
  });
  await call("zones/listZone", ZONE, (answer) => {
    deepStrictEqual([answer.code, answer.json], [404, { error: "Not Found" }]);
  });
}
