import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { BowireError, createBowire, type CreateBowireOptions } from "../../../mod.ts";
import { startRestTarget } from "../../../samples/rest_target/server.ts";
import { connectClient } from "../../fakes/clients.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { startRecordingTarget } from "../../fakes/target.ts";

const SHIP = { service: "Ships", method: "getShip", messages: ['{"shipId":9007199254740993}'] };

function create(home: Home, options: CreateBowireOptions = {}) {
  return createBowire({ home: home.path, ...options });
}

function isError(code: string): (thrown: unknown) => boolean {
  return (thrown) => thrown instanceof BowireError && thrown.code === code;
}

Deno.test("createBowire discovers and invokes without MCP, numbers exact", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await create(home, { allowedServerUrls: [target.url] });
  const { services } = await bowire.discover(target.url);
  deepStrictEqual(services.map(({ name }) => name), ["Ships", "Berths", "Bookings", "Harbour"]);
  const { protocol, invocation } = await bowire.invoke({ url: target.url, ...SHIP });
  deepStrictEqual([protocol, invocation.status], ["rest", "OK"]);
  match(invocation.response ?? "", /"id":9007199254740993,/);
});

Deno.test("createBowire reaches nothing that was not allowed", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await create(home);
  await rejects(bowire.discover(target.url), isError("url_not_allowed"));
  await rejects(bowire.invoke({ url: target.url, ...SHIP }), isError("url_not_allowed"));
});

Deno.test("createBowire refuses a bad URL in its options", async () => {
  await using home = await Home.make();
  await rejects(create(home, { allowedServerUrls: ["api.example.com"] }), isError("invalid_url"));
});

Deno.test("createBowire serves MCP from an app of one's own, under its own name and path", async () => {
  await using home = await Home.make();
  const options = {
    serverName: "harbour",
    basePath: "/agents/",
    loadAllowlistFromEnvironments: false,
  };
  await using bowire = await create(home, options);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => await bowire.fetch(request) ?? new Response("the app's own"),
  );
  const url = `http://127.0.0.1:${server.addr.port}/agents/mcp`;
  await using client = await connectClient("sdk 2 auto", { kind: "http", url });
  const shown = await client.callTool("bowire.allowlist.show");
  strictEqual(shown.structuredContent.loadFromEnvironments, false);
  strictEqual(await (await fetch(new URL("/mcp", url))).text(), "the app's own");
  strictEqual(await (await fetch(new URL("/agentsmcp", url))).text(), "the app's own");
  const unknown = await fetch(new URL("/agents/nothing", url));
  strictEqual(unknown.status, 404);
  match(await unknown.text(), /MCP is at \/agents\/mcp/);
});

Deno.test("closing a Bowire ends the calls that are in flight", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const bowire = await create(home, { allowedServerUrls: [target.url] });
  const call = bowire.invoke({
    url: `${target.url}/hang`,
    service: "",
    method: "GET",
    messages: [],
  });
  const ended = rejects(call, isError("cancelled"));
  await within(target.hanging, "the call to arrive");
  await bowire.close();
  await within(ended, "the call to end");
});
