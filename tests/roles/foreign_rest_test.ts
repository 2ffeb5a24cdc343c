import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { connectClient } from "../fakes/clients.ts";
import { Home } from "../fakes/home.ts";
import { HAS_PEERS, startCerbos, startWireMock } from "../peers/peers.ts";

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
    const list = await runBowire(home, ["list", "--url", url]);
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
    strictEqual(good.structuredContent.status, "OK", good.content[0]?.text);
    strictEqual(JSON.parse(good.structuredContent.response).requestId, "r1");
    const bad = await agent.callTool("bowire.invoke", {
      url,
      service,
      method: name,
      body: { ...CHECK, principal: { id: "", roles: [] } },
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
