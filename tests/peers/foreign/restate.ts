/**
 * A visit of Restate: an OpenAPI 3.1 document at one of the usual places.
 *
 * @module
 */
import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { RESTATE, type RunningRestate, startRestate } from "../large_peers.ts";
import { type Json, RestAgent } from "../rest_agent.ts";
import type { CallMethod, Tally, Tour } from "./visit.ts";

/** The visit. */
export const restateTour: Tour = {
  name: "Restate",
  needs: Object.values(RESTATE),
  packages: [],
  async run(tally) {
    await using server = await startRestate();
    await using service = startService();
    await using agent = await RestAgent.connect({ url: server.url });
    await tally.run("discovery", async () => {
      const { deployment, kafka_cluster, invocation } = await agent.discover();
      deepStrictEqual({ deployment, kafka_cluster, invocation }, {
        deployment: 5,
        kafka_cluster: 5,
        invocation: 8,
      });
    });
    const visit: Visit = {
      service,
      call: tally.caller(agent),
      ask: async (path) => (await fetch(server.url + path)).json(),
    };
    const deployment = await deploy(visit);
    await useService(visit, tally, server);
    await lookAtService(visit);
    await keepCluster(visit);
    await keepRules(visit);
    await remove(visit, deployment);
  },
};

interface Visit {
  readonly service: Service;
  readonly call: CallMethod;
  /** What Restate answers without Bowire. */
  ask(path: string): Promise<Json>;
}

/** A service for Restate to look at. */
interface Service extends AsyncDisposable {
  readonly url: string;
  /** The headers that Restate sent, request by request. */
  readonly received: Headers[];
}

/** Serves no more than the description of a service. */
function startService(): Service {
  const received: Headers[] = [];
  const schema = { type: "object", properties: { name: { type: "string" } } };
  const manifest = {
    protocolMode: "REQUEST_RESPONSE",
    minProtocolVersion: 5,
    maxProtocolVersion: 5,
    services: [{
      name: "Greeter",
      ty: "SERVICE",
      handlers: [{
        name: "greet",
        input: { required: true, contentType: "application/json", jsonSchema: schema },
        output: { contentType: "application/json", setContentTypeIfEmpty: false },
      }],
    }],
  };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    received.push(request.headers);
    return Response.json(manifest, {
      headers: { "Content-Type": "application/vnd.restate.endpointmanifest.v3+json" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** @returns the id of the deployment. */
async function deploy({ call, ask, service }: Visit): Promise<string> {
  await call("version/version", {}, async ({ json }) => {
    deepStrictEqual(json, await ask("/version"));
  });
  const request = {
    uri: service.url,
    use_http_11: true,
    additional_headers: { "x-key": "k1" },
    metadata: { team: "sea" },
  };
  let deployment = "";
  await call("deployment/create_deployment", request, ({ code, json, text }) => {
    deepStrictEqual([code, json.services[0].name], [201, "Greeter"], text);
    deepStrictEqual(service.received.map((headers) => headers.get("x-key")), ["k1"]);
    deployment = json.id;
  });
  await call("deployment/get_deployment", { deployment }, async ({ json }) => {
    deepStrictEqual(json, await ask(`/deployments/${deployment}`));
    deepStrictEqual([json.uri, json.metadata], [service.url, { team: "sea" }]);
  });
  return deployment;
}

/** The service has an API document below the server's, and is called at the ingress. */
async function useService({ call }: Visit, tally: Tally, server: RunningRestate): Promise<void> {
  const { url, ingress } = server;
  await using agent = await RestAgent.connect({
    url: `${url}/services/Greeter/openapi`,
    allow: [ingress],
  });
  const callService = tally.caller(agent);
  const later = { delay: "1h", "idempotency-key": "k2", name: "bo" };
  let invocation_id = "";
  await callService("Send/greetSend", later, ({ code, json, text }) => {
    deepStrictEqual([code, json.status], [202, "Accepted"], text);
    invocation_id = json.invocationId;
  });
  await callService("Send/greetSend", later, ({ json }) => {
    deepStrictEqual(json.invocationId, invocation_id);
    strictEqual(json.status, "PreviouslyAccepted");
  });
  // Restate's own code for an invocation that has not ended.
  await callService("Get Output/greetOutput", { idempotencyKey: "k2" }, ({ code, text }) => {
    strictEqual(code, 470, text);
  });
  await call("invocation/kill_invocation", { invocation_id }, ({ code, text }) => {
    strictEqual(code, 200, text);
  });
  await callService("Get Output/greetOutput", { idempotencyKey: "k2" }, ({ code, json }) => {
    deepStrictEqual([code, json.message], [404, "invocation not found"]);
  });
}

async function lookAtService({ call, ask }: Visit): Promise<void> {
  const handler = { service: "Greeter", handler: "greet" };
  await call("service_handler/get_service_handler", handler, async ({ json }) => {
    deepStrictEqual(json, await ask("/services/Greeter/handlers/greet"));
    strictEqual(json.name, "greet");
  });
  const change = { service: "Greeter", public: false, idempotency_retention: "PT90M" };
  await call("service/modify_service", change, async ({ code, text }) => {
    strictEqual(code, 200, text);
    const kept = await ask("/services/Greeter");
    deepStrictEqual([kept.public, kept.idempotency_retention], [false, "1h 30m"]);
  });
  // Who takes more than JSON gets bytes.
  const query = { query: "SELECT 9007199254740993 AS number, name FROM sys_service" };
  await call("introspection/query", query, ({ text }) => {
    strictEqual(text, '{"rows":[{"number":9007199254740993,"name":"Greeter"}]}');
  });
}

async function keepCluster({ call, ask }: Visit): Promise<void> {
  const cluster = { name: "tide", properties: { "bootstrap.servers": "127.0.0.1:1" } };
  await call("kafka_cluster/create_kafka_cluster", cluster, async ({ code, text }) => {
    strictEqual(code, 201, text);
    const { created_at: _, ...kept } = await ask("/kafka-clusters/tide");
    deepStrictEqual(kept, { ...cluster, subscriptions: [] });
  });
  const change = {
    cluster_name: "tide",
    properties: { ...cluster.properties, "client.id": "bo" },
  };
  await call("kafka_cluster/update_kafka_cluster", change, ({ json }) => {
    deepStrictEqual(json.properties, change.properties);
  });
  const named = { cluster_name: "tide", include_subscriptions: true };
  await call("kafka_cluster/get_kafka_cluster", named, ({ json }) => {
    deepStrictEqual([json.properties, json.subscriptions], [change.properties, []]);
  });
  const subscriptions = { sink: null, source: "kafka://tide/cargo" };
  await call("subscription/list_subscriptions", subscriptions, ({ json }) => {
    deepStrictEqual(json, { subscriptions: [] });
  });
  await call("kafka_cluster/delete_kafka_cluster", { cluster_name: "tide", force: true }, (it) => {
    deepStrictEqual([it.code, it.text], [202, ""]);
  });
  await call("kafka_cluster/get_kafka_cluster", { cluster_name: "tide" }, ({ code, json }) => {
    deepStrictEqual([code, json.restate_code], [404, null]);
  });
}

async function keepRules({ call }: Visit): Promise<void> {
  const rules = [
    { pattern: "tide/*", limits: { concurrency: 3 }, precondition: { type: "does_not_exist" } },
    { pattern: "*", limits: { concurrency: null }, disabled: true },
  ];
  await call("rule/upsert_rules", rules, ({ json }) => {
    deepStrictEqual(
      json.map((
        { pattern, limits, disabled }: Record<string, unknown>,
      ) => [pattern, limits, disabled]),
      [["tide/*", { concurrency: 3 }, false], ["*", {}, true]],
    );
  });
  await call("rule/upsert_rules", { body: rules }, ({ code, json }) => {
    strictEqual(code, 409);
    match(json.message, /DoesNotExist/);
  });
  await call("rule/bulk_delete_rules", [{ pattern: "*" }, { pattern: "tide/*" }], ({ json }) => {
    deepStrictEqual(json.toSorted(), ["*", "tide/*"]);
  });
}

async function remove({ call, ask }: Visit, deployment: string): Promise<void> {
  await call("deployment/delete_deployment", { deployment, force: true }, async ({ code }) => {
    strictEqual(code, 202);
    deepStrictEqual(await ask("/deployments"), { deployments: [] });
  });
}
