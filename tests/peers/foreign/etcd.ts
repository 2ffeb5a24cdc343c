/**
 * A visit of etcd's gateway from JSON to gRPC: a Swagger 2.0 document that lies elsewhere than the
 * server which it names as its host.
 *
 * @module
 */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ETCD, startEtcd } from "../large_peers.ts";
import { type Json, RestAgent } from "../rest_agent.ts";
import type { CallMethod, Tour } from "./visit.ts";

/** The visit. */
export const etcdTour: Tour = {
  name: "etcd",
  needs: Object.values(ETCD),
  packages: ["etcd-server"],
  async run(tally) {
    await using server = await startEtcd();
    await using document = await serveDocument(new URL(server.url).host);
    await using agent = await RestAgent.connect({ url: document.url, allow: [server.url] });
    await tally.run("discovery", async () => {
      const services = await agent.discover();
      deepStrictEqual(services, {
        Auth: 16,
        Cluster: 5,
        KV: 5,
        Lease: 8,
        Maintenance: 6,
        Watch: 1,
      });
    });
    const visit: Visit = {
      call: tally.caller(agent),
      async ask(path, body) {
        const init = { method: "POST", body: JSON.stringify(body) };
        return await (await fetch(server.url + path, init)).json();
      },
    };
    await keepKeys(visit);
    await keepLease(visit);
    await lookAtServer(visit);
  },
};

interface Visit {
  readonly call: CallMethod;
  /** What etcd answers without Bowire. */
  ask(path: string, body: unknown): Promise<Json>;
}

/** Serves the document with the host that it lacks. */
async function serveDocument(host: string): Promise<AsyncDisposable & { url: string }> {
  const file = await Deno.open(ETCD.document);
  const text = file.readable.pipeThrough(new DecompressionStream("gzip"));
  const document = { ...await new Response(text).json(), host };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => Response.json(document),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/etcd.json`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function keepKeys({ call, ask }: Visit): Promise<void> {
  const [bo, cy, end] = [btoa("ship/bo"), btoa("ship/cy"), btoa("ship0")];
  await call("KV/Put", { key: bo, value: btoa("in port\0\xff") }, async ({ code, text }) => {
    strictEqual(code, 200, text);
    const { kvs: [kept] } = await ask("/v3/kv/range", { key: bo });
    deepStrictEqual([atob(kept.value), kept.version], ["in port\0\xff", "1"]);
  });
  const swap = {
    compare: [{ key: bo, target: "VERSION", result: "EQUAL", version: "1" }],
    success: [
      { request_put: { key: bo, value: btoa("at sea") } },
      { request_put: { key: cy, value: btoa("at sea") } },
      { request_range: { key: bo, range_end: end, count_only: true } },
    ],
    failure: [],
  };
  await call("KV/Txn", swap, ({ json }) => {
    strictEqual(json.succeeded, true);
    strictEqual(json.responses[2].response_range.count, "2");
  });
  await call("KV/Txn", swap, ({ json }) => {
    strictEqual(json.succeeded, undefined);
  });
  const range = { key: bo, range_end: end, limit: "1", sort_order: "DESCEND", sort_target: "KEY" };
  await call("KV/Range", range, async ({ json }) => {
    const { kvs } = await ask("/v3/kv/range", range);
    deepStrictEqual(json.kvs, kvs);
    deepStrictEqual([json.kvs[0].key, json.count, json.more], [cy, "2", true]);
  });
  await call("KV/DeleteRange", { key: bo, range_end: end, prev_kv: true }, async ({ json }) => {
    deepStrictEqual([json.deleted, json.prev_kvs.length], ["2", 2]);
    strictEqual((await ask("/v3/kv/range", { key: bo, range_end: end })).count, undefined);
  });
}

async function keepLease({ call }: Visit): Promise<void> {
  // 2^53 + 1, which a double cannot hold.
  const lease = { ID: "9007199254740993" };
  await call("Lease/LeaseGrant", { ...lease, TTL: "600" }, ({ json }) => {
    deepStrictEqual([json.ID, json.TTL], [lease.ID, "600"]);
  });
  await call("Lease/LeaseTimeToLive", { ...lease, keys: true }, ({ json }) => {
    deepStrictEqual([json.ID, json.grantedTTL], [lease.ID, "600"]);
  });
  await call("Lease/LeaseRevoke", lease, ({ code }) => {
    strictEqual(code, 200);
  });
  await call("Lease/LeaseRevoke", lease, ({ code, json }) => {
    deepStrictEqual([code, json.code], [404, 5]);
  });
}

async function lookAtServer({ call, ask }: Visit): Promise<void> {
  await call("Cluster/MemberList", {}, async ({ json }) => {
    deepStrictEqual(json.members, (await ask("/v3/cluster/member/list", {})).members);
    strictEqual(json.members[0].name, "one");
  });
  await call("Maintenance/Status", {}, ({ json }) => {
    match(json.version, /^3\./);
  });
}
