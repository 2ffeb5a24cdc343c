import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { connectClient } from "../fakes/clients.ts";
import { Home } from "../fakes/home.ts";
import { CERBOS_KEEPER, HAS_PEERS, startCerbos, startWireMock } from "../peers/peers.ts";
import { RestAgent } from "../peers/rest_agent.ts";

const CHECK = {
  requestId: "r1",
  principal: { id: "anna", roles: ["captain"] },
  resources: [{ resource: { kind: "ship", id: "s1" }, actions: ["view"] }],
};

Deno.test({
  name: "Cerbos (Swagger 2.0) is discovered and called, by command line and by an agent",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    await using cerbos = await startCerbos();
    const { url } = cerbos;
    const list = await runBowire(home, ["list", "--url", `rest@${url}`]);
    deepStrictEqual([list.code, list.stdout], [0, "CerbosAdminService\nCerbosService\n"]);
    const method = "CerbosService/CerbosService_CheckResources";
    const described = await runBowire(home, ["describe", method, "--url", url]);
    match(described.stdout, /principal/);
    const data = JSON.stringify(CHECK);
    const called = await runBowire(home, ["call", method, "--url", url, "-d", data]);
    strictEqual(called.code, 0, called.stderr);
    strictEqual(JSON.parse(called.stdout).results[0].actions.view, "EFFECT_DENY");

    const args = ["--allow-url", url];
    await using agent = await connectClient("sdk 2 auto", { kind: "stdio", home, args });
    await agent.listTools();
    const found = await agent.callTool("bowire.discover", { url, service: "CerbosService" });
    strictEqual(found.structuredContent.services[0].methodCount, 5);
    const [service = "", name = ""] = method.split("/");
    const good = await agent.callTool("bowire.invoke", { url, service, method: name, body: CHECK });
    strictEqual(good.structuredContent.status, "OK", good.content[0]?.text ?? "");
    strictEqual(JSON.parse(good.structuredContent.response).requestId, "r1");
    const bad = await agent.callTool("bowire.invoke", {
      url,
      service,
      method: name,
      body: { ...CHECK, principal: { id: "", roles: ["captain"] } },
    });
    deepStrictEqual([bad.isError, bad.structuredContent.metadata.http_status], [true, "400"]);
  },
});

Deno.test({
  name: "WireMock (OpenAPI 3.0) is discovered and called, by command line and by an agent",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    await using wiremock = await startWireMock();
    const { url } = wiremock;
    const list = await runBowire(home, ["list", "Stub Mappings", "--url", url]);
    ok(list.stdout.split("\n").includes("createNewStubMapping"), list.stderr);
    const stub = {
      request: { method: "GET", url: "/ahoy" },
      response: { status: 200, jsonBody: { answer: "ahoy" } },
    };
    const file = await home.put("stub.json", stub);
    const created = await runBowire(
      home,
      ["call", "Stub Mappings/createNewStubMapping", "--url", url, "-d", `@${file}`],
    );
    strictEqual(created.code, 0, created.stderr);
    const { id } = JSON.parse(created.stdout);
    const ahoy = await runBowire(home, ["call", "GET", "--url", `${url}/ahoy`, "--compact"]);
    deepStrictEqual([ahoy.code, ahoy.stdout], [0, '{"answer":"ahoy"}\n']);

    const args = ["--allow-url", url];
    await using agent = await connectClient("sdk 1", { kind: "stdio", home, args });
    await agent.listTools();
    const call = (service: string, method: string, body: unknown) =>
      agent.callTool("bowire.invoke", { url, service, method, body });
    const read = await call("Stub Mappings", "getStubMappingById", { stubMappingId: id });
    strictEqual(JSON.parse(read.structuredContent.response).request.url, "/ahoy");
    const counted = await call("Requests", "countRequestsByCriteria", stub.request);
    strictEqual(JSON.parse(counted.structuredContent.response).count, 1);
    const deleted = await call("Stub Mappings", "deleteStubMapping", { stubMappingId: id });
    strictEqual(deleted.isError, false);
    const gone = await call("Stub Mappings", "getStubMappingById", { stubMappingId: id });
    deepStrictEqual([gone.isError, gone.structuredContent.metadata.http_status], [true, "404"]);
  },
});

/** What a server answers without Bowire. */
async function ask(url: string, init: RequestInit = {}): Promise<{ code: number; text: string }> {
  const response = await fetch(url, init);
  return { code: response.status, text: await response.text() };
}

const POLICY_ID = "resource.ship.vdefault";
const POLICY = {
  apiVersion: "api.cerbos.dev/v1",
  resourcePolicy: {
    resource: "ship",
    version: "default",
    rules: [
      { actions: ["view"], effect: "EFFECT_ALLOW", roles: ["captain", "sailor"] },
      {
        name: "small-loads",
        actions: ["load"],
        effect: "EFFECT_ALLOW",
        roles: ["sailor"],
        condition: {
          match: {
            all: {
              of: [
                { expr: "R.attr.tons < 10" },
                { any: { of: [{ expr: "R.attr.port in P.attr.ports" }, { expr: "R.attr.free" }] } },
              ],
            },
          },
        },
        output: { when: { ruleActivated: '{"by": P.id, "tons": R.attr.tons}' } },
      },
    ],
  },
};
const LOADS = {
  requestId: "r2",
  includeMeta: true,
  principal: { id: "bo", roles: ["sailor"], attr: { ports: ["kiel", "bremen"] } },
  resources: [
    {
      resource: { kind: "ship", id: "s1", attr: { tons: 9.5, port: "kiel" } },
      actions: ["view", "load", "sink"],
    },
    { resource: { kind: "ship", id: "s2", attr: { tons: 10, port: "kiel" } }, actions: ["load"] },
  ],
};

/** Cerbos, an agent of its keeper, and what Cerbos answers without Bowire. */
async function openCerbos() {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await startCerbos());
  const agent = opened.use(await RestAgent.connect({ url }));
  const { username, password } = CERBOS_KEEPER;
  const pair = `${username}:${password}`;
  const headers = { Authorization: `Basic ${btoa(pair)}` };
  const kept = opened.move();
  return {
    agent,
    admin: (name: string, body: unknown = {}) =>
      agent.call(`CerbosAdminService/CerbosAdminService_${name}`, body, { BasicAuth: pair }),
    decide: (name: string, body: unknown = {}) =>
      agent.call(`CerbosService/CerbosService_${name}`, body),
    ask: async (path: string, init: RequestInit = {}) =>
      JSON.parse((await ask(url + path, { headers, ...init })).text),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

Deno.test({
  name: "Cerbos keeps, shows, disables and deletes what an agent with the keeper's password adds",
  ignore: !HAS_PEERS,
  async fn() {
    await using cerbos = await openCerbos();
    const { admin } = cerbos;
    const anybody = await cerbos.agent.call("CerbosAdminService/CerbosAdminService_ListSchemas");
    deepStrictEqual([anybody.code, anybody.json.message], [401, "authentication required"]);
    match(anybody.hint ?? "", /BasicAuth \(header "Authorization: Basic …"\)/);

    const schema = { type: "object", properties: { tons: { type: "number" } } };
    const schemas = [{ id: "ship.json", definition: btoa(JSON.stringify(schema)) }];
    strictEqual((await admin("AddOrUpdateSchema", { schemas })).code, 200);
    const kept = await cerbos.ask("/admin/schema?id=ship.json");
    deepStrictEqual(JSON.parse(atob(kept.schemas[0].definition)), schema);
    deepStrictEqual((await admin("ListSchemas")).json, { schemaIds: ["ship.json"] });

    const added = await admin("AddOrUpdatePolicy", { policies: [POLICY] });
    deepStrictEqual(added.json, { success: {} });
    const named = await admin("ListPolicies", { nameRegexp: "^sh.p$", includeDisabled: false });
    deepStrictEqual(named.json, { policyIds: [POLICY_ID] });
    deepStrictEqual((await admin("ListPolicies", { nameRegexp: "^boat$" })).json, {});
    const read = await admin("GetPolicy", { id: ["resource.boat.vdefault", POLICY_ID] });
    deepStrictEqual(read.json, await cerbos.ask(`/admin/policy?id=${POLICY_ID}`));
    deepStrictEqual(read.json.policies[0].resourcePolicy, POLICY.resourcePolicy);
    const inspected = await admin("InspectPolicies", { policyId: [POLICY_ID] });
    deepStrictEqual(inspected.json.results[POLICY_ID].actions, ["load", "view"]);

    const ids = { id: [POLICY_ID] };
    deepStrictEqual((await admin("DisablePolicy2", ids)).json, { disabledPolicies: 1 });
    deepStrictEqual((await admin("ListPolicies")).json, {});
    const all = await admin("ListPolicies", { includeDisabled: true });
    deepStrictEqual(all.json, { policyIds: [POLICY_ID] });
    deepStrictEqual((await admin("EnablePolicy", ids)).json, { enabledPolicies: 1 });
    deepStrictEqual((await admin("DeletePolicy", ids)).json, { deletedPolicies: 1 });
    deepStrictEqual(await cerbos.ask("/admin/policies?includeDisabled=true"), {});
    const deleted = await admin("DeleteSchema", { id: ["ship.json"] });
    deepStrictEqual(deleted.json, { deletedSchemas: 1 });
  },
});

Deno.test({
  name: "Cerbos decides and plans by the policy that an agent adds and changes",
  ignore: !HAS_PEERS,
  async fn() {
    await using cerbos = await openCerbos();
    const { admin, decide } = cerbos;
    const info = await decide("ServerInfo");
    deepStrictEqual(info.json, await cerbos.ask("/api/server_info"));
    match(info.json.version, /^0\.55\./);

    await admin("AddOrUpdatePolicy", { policies: [POLICY] });
    strictEqual((await admin("ReloadStore", { wait: true })).code, 200);
    const { cerbosCallId: _mine, ...checked } = (await decide("CheckResources", LOADS)).json;
    const post = { method: "POST", body: JSON.stringify(LOADS) };
    const { cerbosCallId: _theirs, ...wanted } = await cerbos.ask("/api/check/resources", post);
    deepStrictEqual(checked, wanted);
    const [small, large] = checked.results;
    deepStrictEqual(
      small.actions,
      { view: "EFFECT_ALLOW", load: "EFFECT_ALLOW", sink: "EFFECT_DENY" },
    );
    deepStrictEqual(large.actions, { load: "EFFECT_DENY" });
    strictEqual(small.meta.actions.load.matchedPolicy, POLICY_ID);
    deepStrictEqual(small.outputs[0].val, { by: "bo", tons: 9.5 });

    const plan = await decide("PlanResources", {
      requestId: "r3",
      includeMeta: true,
      actions: ["load"],
      principal: LOADS.principal,
      resource: { kind: "ship" },
    });
    strictEqual(plan.json.filter.kind, "KIND_CONDITIONAL");
    match(plan.json.meta.filterDebug, /^\(and \(lt request\.resource\.attr\.tons 10\)/);

    const [view, load] = POLICY.resourcePolicy.rules;
    const rules = [{ ...view, roles: ["captain"] }, load];
    const stricter = { ...POLICY, resourcePolicy: { ...POLICY.resourcePolicy, rules } };
    strictEqual((await admin("AddOrUpdatePolicy2", { policies: [stricter] })).code, 200);
    strictEqual((await admin("ReloadStore", { wait: true })).code, 200);
    const after = await decide("CheckResources", LOADS);
    strictEqual(after.json.results[0].actions.view, "EFFECT_DENY");
  },
});

const STUB_ID = "76ada7b0-49ae-4229-91c4-396a36f18e09";
// 2^53 + 1, which a double cannot hold.
const BIG = /"number"\s*:\s*9007199254740993\b/;
const STUB = `{
  "id": "${STUB_ID}",
  "name": "toys",
  "priority": 2,
  "request": {
    "method": "POST",
    "urlPathTemplate": "/pets/{id}/toys",
    "pathParameters": { "id": { "equalTo": "a%20b" } },
    "queryParameters": { "tag": { "hasExactly": [{ "equalTo": "x" }, { "equalTo": "y&z" }] } },
    "headers": { "X-Trace": { "matches": "^t-[0-9]+$" } },
    "bodyPatterns": [{ "equalToJson": "{\\"toys\\":[1,{\\"of\\":null}]}" }]
  },
  "response": {
    "status": 201,
    "jsonBody": { "number": 9007199254740993, "list": [1, "two", null] }
  },
  "metadata": { "owner": { "team": "sea" } }
}`;
const TOYS = {
  method: "POST",
  headers: { "X-Trace": "t-7" },
  body: '{"toys":[1,{"of":null}]}',
};

/** WireMock and an agent that administers it. */
async function openWireMock() {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await startWireMock());
  const agent = opened.use(await RestAgent.connect({ url, client: "sdk 1" }));
  const kept = opened.move();
  return {
    url,
    call: (name: string, body: unknown = {}) => agent.call(name, body),
    ask: (path: string, init: RequestInit = {}) => ask(url + path, init),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

Deno.test({
  name: "WireMock answers by the stub that an agent creates, finds, changes and deletes",
  ignore: !HAS_PEERS,
  async fn() {
    await using wiremock = await openWireMock();
    const { call, ask } = wiremock;
    const created = await call("Stub Mappings/createNewStubMapping", STUB);
    strictEqual(created.code, 201, created.text);
    const path = "/pets/a%20b/toys?tag=x&tag=y%26z";
    const toys = await ask(path, TOYS);
    strictEqual(toys.code, 201, toys.text);
    match(toys.text, BIG);
    strictEqual((await ask(path, { ...TOYS, headers: {} })).code, 404);

    const read = await call("Stub Mappings/getStubMappingById", { stubMappingId: STUB_ID });
    match(read.text, BIG);
    deepStrictEqual(read.json, JSON.parse((await ask(`/__admin/mappings/${STUB_ID}`)).text));
    deepStrictEqual(read.json.request, JSON.parse(STUB).request);
    const found = await call("Stub Mappings/findStubMappingsByMetadata", {
      matchesJsonPath: { expression: "$.owner.team", equalTo: "sea" },
    });
    deepStrictEqual(found.json.mappings, [read.json]);

    const changed = await call("Stub Mappings/updateStubMapping", {
      stubMappingId: STUB_ID,
      request: { method: "GET", urlPath: "/toys", queryParameters: { all: { absent: true } } },
      response: { status: 200, body: "no toys" },
    });
    strictEqual(changed.code, 200, changed.text);
    strictEqual((await ask(path, TOYS)).code, 404);
    deepStrictEqual(await ask("/toys"), { code: 200, text: "no toys" });
    const page = await call("Stub Mappings/getAllStubMappings", { limit: 1, offset: 0 });
    deepStrictEqual(page.json.mappings, [changed.json]);
    const beyond = await call("Stub Mappings/getAllStubMappings", { limit: 1, offset: 1 });
    deepStrictEqual([beyond.json.mappings, beyond.json.meta.total], [[], 1]);

    await call("Stub Mappings/deleteStubMapping", { stubMappingId: STUB_ID });
    strictEqual((await ask("/toys")).code, 404);
  },
});

Deno.test({
  name: "WireMock keeps files, scenarios and a journal of requests for an agent",
  ignore: !HAS_PEERS,
  async fn() {
    await using wiremock = await openWireMock();
    const { call, ask } = wiremock;
    const file = { fileId: "flags/de.png", body: "iVBORwD/" };
    strictEqual((await call("Files/updateFileById", file)).code, 200);
    deepStrictEqual((await call("Files/getFileById", { fileId: file.fileId })).base64, file.body);

    const request = { method: "PUT", url: "/light" };
    const scenario = { scenarioName: "light", request };
    for (
      const [requiredScenarioState, newScenarioState] of [["Started", "on"], ["on", "Started"]]
    ) {
      const created = await call("Stub Mappings/createNewStubMapping", {
        ...scenario,
        requiredScenarioState,
        newScenarioState,
        response: { status: 200, body: newScenarioState },
      });
      strictEqual(created.code, 201, created.text);
    }
    const light = { method: "PUT", body: "switch", headers: { "X-Hand": "left" } };
    strictEqual((await ask("/light", light)).text, "on");
    const { json } = await call("Scenarios/getAllScenarios");
    deepStrictEqual([json.scenarios[0].name, json.scenarios[0].state], ["light", "on"]);
    strictEqual((await call("Scenarios/resetAllScenarios")).code, 200);
    strictEqual((await ask("/light", light)).text, "on");

    const left = { ...request, headers: { "X-Hand": { equalTo: "left" } } };
    const found = (await call("Requests/findRequestsByCriteria", left)).json.requests;
    deepStrictEqual(found.map(({ body }: { body: string }) => body), ["switch", "switch"]);
    const right = { ...request, headers: { "X-Hand": { equalTo: "right" } } };
    strictEqual((await call("Requests/countRequestsByCriteria", right)).json.count, 0);
    const newest = (await call("Requests/getAllRequestsInJournal", { limit: "1" })).json.requests;
    strictEqual(newest.length, 1);
    const { id } = newest[0];
    const one = await call("Requests/getRequestById", { requestId: id });
    deepStrictEqual(one.json, JSON.parse((await ask(`/__admin/requests/${id}`)).text));
    strictEqual((await call("Requests/deleteRequestById", { requestId: id })).code, 200);
    strictEqual((await ask(`/__admin/requests/${id}`)).code, 404);
  },
});

/** An API document with an argument in every place, for WireMock to serve and to answer. */
const HARBOUR = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1" },
  paths: {
    "/berths/{berth}/ships": {
      post: {
        tags: ["Berths"],
        operationId: "moor",
        parameters: [
          { name: "berth", in: "path", required: true, schema: { type: "string" } },
          {
            name: "flags",
            in: "query",
            schema: { type: "array", items: { type: "string" } },
            explode: false,
          },
          {
            name: "size",
            in: "query",
            style: "deepObject",
            schema: { type: "object", properties: { tons: { type: "integer" } } },
          },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "visit", in: "cookie", schema: { type: "string" } },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { crew: { type: "array", items: { type: "object" } } },
              },
            },
          },
        },
        responses: { "200": { description: "Moored" } },
      },
    },
  },
};

Deno.test({
  name: "WireMock's journal has each argument of a call where its document puts it",
  ignore: !HAS_PEERS,
  async fn() {
    await using wiremock = await startWireMock();
    await using home = await Home.make();
    const { url } = wiremock;
    const stub = async (request: unknown, response: unknown) => {
      const init = { method: "POST", body: JSON.stringify({ request, response }) };
      strictEqual((await ask(`${url}/__admin/mappings`, init)).code, 201);
    };
    await stub({ method: "GET", urlPath: "/harbour.json" }, { status: 200, jsonBody: HARBOUR });
    await stub({ method: "POST" }, { status: 200, body: "moored" });
    const message = '{"berth": "1/a ü", "flags": ["de", "a,b"], "size": {"tons": 3}, ' +
      '"X-Trace": "t-1", "visit": "v1", "crew": [{"id": 9007199254740993, "of": [null]}]}';
    const document = `${url}/harbour.json`;
    const args = ["call", "Berths/moor", "--url", document, "-d", message, "-H", "X-Hand: left"];
    const called = await runBowire(home, args);
    deepStrictEqual([called.code, called.stdout], [0, "moored\n"], called.stderr);

    const init = { method: "POST", body: '{"method":"POST"}' };
    const { text } = await ask(`${url}/__admin/requests/find`, init);
    const [sent, ...others] = JSON.parse(text).requests;
    deepStrictEqual(others, []);
    strictEqual(
      sent.url,
      "/berths/1%2Fa%20%C3%BC/ships?flags=de,a%2Cb&size%5Btons%5D=3",
    );
    strictEqual(sent.body, '{"crew":[{"id":9007199254740993,"of":[null]}]}');
    deepStrictEqual(sent.cookies, { visit: "v1" });
    const { headers } = sent;
    const received = new Headers(headers);
    deepStrictEqual(
      ["x-trace", "x-hand", "content-type"].map((name) => received.get(name)),
      ["t-1", "left", "application/json"],
    );
  },
});
