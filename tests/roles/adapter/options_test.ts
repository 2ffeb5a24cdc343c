import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openShop } from "../../adapter/shop.ts";
import { runBowire, startAdapter } from "../../fakes/bowire_process.ts";
import { serve } from "../../plugins/rest/fixture.ts";
import { Home } from "../../fakes/home.ts";
import { startHarbour } from "../../../samples/grpc_target/server.ts";
import { Agent, dataOf, goodText, openAdapted } from "./fixture.ts";

Deno.test("--include and --exclude say which methods are tools", async () => {
  await using shop = openShop();
  const cases = [
    [["--include", "tag:public"], ["pets_listPets"]],
    [["--include", "method:get", "--exclude", "service:media"], ["pets_getPet", "pets_listPets"]],
    [
      ["--include", "pets/*Pet", "media/*", "--exclude", "method:DELETE"],
      ["media_getPhoto", "pets_createPet", "pets_getPet"],
    ],
    [["--exclude", "pets/*"], ["media_getPhoto"]],
  ] as const;
  await Promise.all(cases.map(async ([args, names]) => {
    await using adapted = await openAdapted(["--url", shop.url, ...args]);
    deepEqual([...(await adapted.agent.tools()).keys()], names);
    match(adapted.server.stderr(), /left out: (?:1 incoming, )?\d filtered$/m);
  }));
});

Deno.test("--tool-budget says from when on tools are searched", async () => {
  await using shop = openShop();
  const modeWith = async (...args: string[]) => {
    await using adapted = await openAdapted(["--url", shop.url, ...args]);
    const names = [...(await adapted.agent.tools()).keys()];
    return names.includes("find_methods") ? "search" : "all";
  };
  deepEqual(
    await Promise.all([
      modeWith("--tool-budget", "5"),
      modeWith("--tool-budget", "4"),
      modeWith("--tool-budget", "5,1KB"),
      modeWith("--tool-budget", "4", "--tools", "all"),
    ]),
    ["all", "search", "search", "all"],
  );
});

Deno.test("APIs with the same methods have tools of their own, each with its own headers", async () => {
  await using one = openShop();
  await using two = openShop();
  await using adapted = await openAdapted([
    ...["--url", one.url, "--url", two.url, "-H", "X-All: both"],
    ...["--header-for", `${two.url} X-Key: second`, "--header-for", `${two.url} X-Other: a: b`],
  ]);
  const tools = await adapted.agent.tools();
  equal(tools.size, 10);
  const lists = [...tools.values()].filter(({ name }) => /^pets_listPets_[0-9a-f]+$/.test(name));
  equal(lists.length, 2);
  for (const { name, _meta } of lists) {
    const { url } = Object(_meta?.["bowire/method"]);
    const [own, other] = url === one.url ? [one, two] : [two, one];
    const before = other.received.length;
    goodText(await adapted.agent.call(name));
    equal(own.received.at(-1)?.path, "/pets");
    equal(other.received.length, before);
  }
  const seen = ({ received }: typeof one) =>
    ["x-all", "x-key", "x-other"].map((name) =>
      [...new Set(received.map(({ headers }) => headers.get(name)))].join()
    );
  deepEqual([seen(one), seen(two)], [["both", "", ""], ["both", "second", "a: b"]]);
});

Deno.test("APIs of different protocols stand side by side", async () => {
  await using shop = openShop();
  await using harbour = await startHarbour();
  await using adapted = await openAdapted(["--url", shop.url, "--url", harbour.url]);
  const { agent } = adapted;
  goodText(await agent.call("pets_listPets"));
  const [ships] = [...(await agent.tools()).keys()].filter((name) => /_ListShips$/.test(name));
  ok(ships, "no method of the harbour");
  ok(Array.isArray(dataOf(await agent.call(ships)).ships));
});

Deno.test("the adapter tells where it serves, and serves nothing else", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await using server = await startAdapter(home, ["--url", shop.url]);
  const at = async (path: string, init?: RequestInit) => {
    const response = await fetch(new URL(path, server.url), init);
    return [response.status, await response.json()];
  };
  deepEqual(await at("/api/mcp-adapter"), [200, { enabled: true, path: "/mcp" }]);
  for (const path of ["/", "/bowire/mcp", "/api/mcp-adapter/x", "/api/mcp-adapter/rediscover"]) {
    const [status, { error }] = await at(path);
    equal(status, 404, path);
    match(error, /nothing is served at .*; MCP is at \/mcp$/);
  }
  equal((await at("/api/mcp-adapter", { method: "POST" }))[0], 404);
  match(server.stdout(), /^MCP server listening at http:\/\/localhost:\d+\/mcp\n/);
});

Deno.test("the identity tells what is served", async () => {
  await using shop = openShop();
  await using adapted = await openAdapted(["--url", shop.url]);
  const { client } = adapted.agent;
  deepEqual([client.getServerVersion()?.name, client.getServerVersion()?.title], [
    "bowire-adapter",
    "Bowire adapter",
  ]);
  match(client.getInstructions() ?? "", /^Each tool calls a method of an API \(Shop\)\..*isError/);
});

Deno.test("an API that is down at the start ends it with 1 and one clear sentence", async () => {
  await using home = await Home.make();
  const site = serve({});
  await site[Symbol.asyncDispose]();
  for (const bind of ["http", "stdio"]) {
    const { code, stdout, stderr } = await runBowire(home, [
      ...["--url", site.url, "--enable-mcp-adapter", "--bind", bind, "--port", "0"],
    ]);
    deepEqual([code, stdout], [1, ""]);
    match(
      stderr,
      /^error: found no API at "http:\/\/127\.0\.0\.1:\d+" \(REST: cannot reach .*\)\n {2}/,
    );
    equal(stderr.match(/cannot reach/g)?.length, 2, stderr);
  }
});

Deno.test("of two APIs one that is down is left out, and a line says so", async () => {
  await using shop = openShop();
  const site = serve({});
  await site[Symbol.asyncDispose]();
  await using adapted = await openAdapted(["--url", site.url, "--url", shop.url]);
  equal((await adapted.agent.tools()).size, 5);
  match(adapted.server.stderr(), /"http:\/\/127\.0\.0\.1:\d+" is left out: .*cannot reach/);
});

Deno.test("an API without a method that can be a tool ends it with 1 and the counts", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  const args = ["--url", shop.url, "--enable-mcp-adapter", "--include", "tag:nothing"];
  const { code, stderr } = await runBowire(home, args);
  equal(code, 1);
  match(
    stderr,
    /no method of ".*" can be a tool: 0 stream, 0 are webhooks, 6 are filtered out\n.*included/,
  );
});

Deno.test("two adapters at one port: the second says that it is taken", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await using first = await startAdapter(home, ["--url", shop.url]);
  const { port } = new URL(first.url);
  const args = ["--url", shop.url, "--enable-mcp-adapter", "--port", port];
  const { code, stdout, stderr } = await runBowire(home, args);
  deepEqual([code, stdout], [1, ""]);
  match(
    stderr,
    new RegExp(`cannot listen at 127\\.0\\.0\\.1:${port}: something else does\\n.*--port`),
  );
  await using agent = await Agent.overHttp(first.url);
  goodText(await agent.call("pets_listPets"));
});
