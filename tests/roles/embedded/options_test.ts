/** Each option of the documentation, through the door that an embedder has. */
import { deepStrictEqual, match, notStrictEqual, strictEqual } from "node:assert/strict";
import { createBowire, type CreateBowireOptions } from "../../../mod.ts";
import { startHarbour } from "../../../samples/grpc_target/server.ts";
import { Home } from "../../fakes/home.ts";
import { INITIALIZE, MCP_HEADERS } from "../../fakes/mcp_requests.ts";
import { serveLocal } from "../../fakes/rooms.ts";

interface Asked {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a Bowire with options by HTTP; tells what it said. */
async function ask(home: Home, options: CreateBowireOptions, body: unknown, asked: Asked = {}) {
  await using bowire = await createBowire({ home: home.path, ...options });
  const { path = "/bowire/mcp", headers = {} } = asked;
  const request = new Request(`http://localhost${path}`, {
    method: "POST",
    headers: { ...MCP_HEADERS, ...headers },
    body: JSON.stringify(body),
  });
  const response = await bowire.fetch(request);
  const text = await response?.text() ?? "";
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

/** Calls a tool; gives its data. */
async function call(
  home: Home,
  options: CreateBowireOptions,
  name: string,
  args: unknown = {},
) {
  const params = { name, arguments: args };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return (await ask(home, options, body)).result.structuredContent;
}

async function urlsOf(home: Home, options: CreateBowireOptions): Promise<string[]> {
  return (await call(home, options, "bowire.allowlist.show")).urls;
}

const A = "https://a.example.com/";

Deno.test("allowedServerUrls are the URLs that agents reach", async () => {
  await using home = await Home.make();
  deepStrictEqual(await urlsOf(home, {}), []);
  deepStrictEqual(await urlsOf(home, { allowedServerUrls: [A] }), [A]);
});

Deno.test("allowArbitraryUrls lets agents reach every URL, and is off", async () => {
  await using home = await Home.make();
  await using target = serveLocal(() => new Response("here"));
  const invoke = (options: CreateBowireOptions) =>
    call(home, options, "bowire.invoke", { url: target.url, service: "", method: "GET" });
  strictEqual((await invoke({})).error.code, "url_not_allowed");
  strictEqual((await invoke({ allowArbitraryUrls: true })).response, "here");
});

Deno.test("loadAllowlistFromEnvironments takes their server URLs, and is on", async () => {
  await using home = await Home.make();
  await home.put("environments.json", { environments: [{ id: "a", name: "A", serverUrl: A }] });
  deepStrictEqual(await urlsOf(home, {}), [A]);
  deepStrictEqual(await urlsOf(home, { loadAllowlistFromEnvironments: false }), []);
});

Deno.test("loadAllowlistFromTypedUrls takes what a person typed, and is off", async () => {
  await using home = await Home.make();
  await home.put("typed-urls.json", [A]);
  deepStrictEqual(await urlsOf(home, {}), []);
  deepStrictEqual(await urlsOf(home, { loadAllowlistFromTypedUrls: true }), [A]);
});

Deno.test("requireConfirmationForMutations asks before a change, and is on", async () => {
  await using home = await Home.make();
  const permit = (options: CreateBowireOptions) =>
    call(home, options, "bowire.allowlist.permit", { url: A });
  notStrictEqual((await permit({})).addedToMemory, true);
  const allowed = await permit({ requireConfirmationForMutations: false });
  strictEqual(allowed.addedToMemory, true);
});

Deno.test("serverName and serverVersion are those of the handshake", async () => {
  await using home = await Home.make();
  const options = { serverName: "harbour", serverVersion: "7.8.9" };
  const { serverInfo } = (await ask(home, options, INITIALIZE)).result;
  deepStrictEqual([serverInfo.name, serverInfo.version], ["harbour", "7.8.9"]);
  const own = (await ask(home, {}, INITIALIZE)).result.serverInfo;
  strictEqual(own.name, "bowire-mcp");
});

Deno.test("toolNames says how names are written", async () => {
  await using home = await Home.make();
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const { tools } = (await ask(home, { toolNames: "underscore" }, list)).result;
  match(JSON.stringify(tools), /"bowire_discover"/);
});

Deno.test("defaultSubscribeMs, maxSubscribeMs and maxSubscribeFrames bound a sample", async () => {
  await using home = await Home.make();
  await using harbour = await startHarbour();
  const allowed = { allowedServerUrls: [harbour.url] };
  const at = { url: harbour.url, service: "harbour.v1.Harbour" };
  const watch = { ...at, method: "WatchBerths", body: {} };
  const byDefault = await call(home, { ...allowed, defaultSubscribeMs: 40 }, SUBSCRIBE, watch);
  strictEqual(byDefault.durationMs, 40);
  const asked = { ...watch, durationMs: 9000 };
  const capped = await call(home, { ...allowed, maxSubscribeMs: 50 }, SUBSCRIBE, asked);
  strictEqual(capped.durationMs, 50);
  const talk = {
    ...at,
    method: "Radio",
    body: [{ text: "one" }, { text: "two" }, { text: "three" }],
  };
  const few = await call(home, { ...allowed, maxSubscribeFrames: 2 }, SUBSCRIBE, talk);
  deepStrictEqual([few.frameCount, few.stoppedBecause], [2, "frames"]);
});

const SUBSCRIBE = "bowire.subscribe";

Deno.test("hostNames are the names by which requests may be addressed", async () => {
  await using home = await Home.make();
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const asked = { headers: { host: "bowire.internal" } };
  const refused = await ask(home, {}, list, asked);
  match(refused.error.message, /the Host header "bowire.internal".*hostNames/);
  const served = await ask(home, { hostNames: ["bowire.internal"] }, list, asked);
  strictEqual(served.error, undefined);
});

for (
  const [basePath, path] of [["", "/mcp"], ["tools/", "/tools/mcp"], ["/a/b", "/a/b/mcp"]] as const
) {
  Deno.test(`basePath "${basePath}" serves MCP at ${path}`, async () => {
    await using home = await Home.make();
    const answer = await ask(home, { basePath }, INITIALIZE, { path });
    strictEqual(answer.result.serverInfo.name, "bowire-mcp");
  });
}
