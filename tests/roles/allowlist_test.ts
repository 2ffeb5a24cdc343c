import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire, startHttp } from "../fakes/bowire_process.ts";
import { connectClient } from "../fakes/clients.ts";
import { type Conversation, startStdio, type ToolResult } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

async function startAgent(home: Home, args: readonly string[] = []): Promise<Conversation> {
  const agent = startStdio(home, args);
  await agent.initialize();
  return agent;
}

function get(agent: Conversation, url: string): Promise<ToolResult> {
  return agent.call("bowire.invoke", { url, service: "", method: "GET" });
}

/** `show`'s entries as `source url`. */
async function entriesOf(agent: Conversation): Promise<string[]> {
  const { structuredContent } = await agent.call("bowire.allowlist.show");
  return structuredContent.entries.map((
    { source, url }: { source: string; url: string },
  ) => `${source} ${url}`);
}

Deno.test("nothing is allowed without being asked for, and the banner says so", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home);
  for (const tool of ["bowire.discover", "bowire.invoke"]) {
    const args = tool === "bowire.invoke" ? { service: "", method: "GET" } : {};
    const { isError, structuredContent } = await agent.call(tool, { url: target.url, ...args });
    strictEqual(isError, true);
    strictEqual(structuredContent.error.code, "url_not_allowed");
    match(structuredContent.error.hint, /bowire\.allowlist\.permit/);
  }
  strictEqual(target.arrived.length, 0);
  match(agent.stderr, /The allowlist is empty: agents reach nothing/);
});

Deno.test("the allowlist is seeded from environments.json, at any depth", async () => {
  await using home = await Home.make();
  await home.put("environments.json", {
    globals: { serverUrl: "https://globals.example.com" },
    environments: [
      { id: "a", name: "A", vars: { serverUrl: "https://vars.example.com/v1" } },
      { id: "b", name: "B", deep: [{ er: { ServerURL: "https://deep.example.com" } }] },
      { id: "c", name: "C", vars: { serverUrl: "not a url" } },
    ],
    activeEnvId: "a",
  });
  await using agent = await startAgent(home);
  deepStrictEqual(await entriesOf(agent), [
    "environment https://globals.example.com/",
    "environment https://vars.example.com/v1",
    "environment https://deep.example.com/",
  ]);
  const { ignored } = (await agent.call("bowire.allowlist.show")).structuredContent;
  strictEqual(ignored[0].value, "not a url");
  match(agent.stderr, /Passed over "not a url"/);
  match(agent.stderr, /3 URLs on the allowlist/);
});

Deno.test("--no-env-allowlist leaves the environments out", async () => {
  await using home = await Home.make();
  await home.put("environments.json", { globals: { serverUrl: "https://globals.example.com" } });
  await using agent = await startAgent(home, ["--no-env-allowlist"]);
  deepStrictEqual(await entriesOf(agent), []);
});

Deno.test("--allow-invoke adds the typed URLs, which count for nothing without it", async () => {
  await using home = await Home.make();
  await home.put("typed-urls.json", ["https://typed.example.com/x", 7]);
  await using without = await startAgent(home);
  deepStrictEqual(await entriesOf(without), []);
  await using agent = await startAgent(home, ["--allow-invoke"]);
  deepStrictEqual(await entriesOf(agent), ["typed https://typed.example.com/x"]);
  match(agent.stderr, /URLs that were ever typed are allowed \(--allow-invoke\)/);
});

Deno.test("--allow-url may be repeated and takes everything below its path", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const urls = [`${target.url}/v1`, "https://api.example.com"];
  await using agent = await startAgent(home, urls.flatMap((url) => ["--allow-url", url]));
  deepStrictEqual(await entriesOf(agent), [
    `flag ${target.url}/v1`,
    "flag https://api.example.com/",
  ]);
  strictEqual((await get(agent, `${target.url}/v1/ships?x=1`)).isError, false);
  for (const path of ["/", "/v10", "/v1/../admin", "/v1/%2e%2e/admin"]) {
    strictEqual(
      (await get(agent, target.url + path)).structuredContent.error.code,
      "url_not_allowed",
      path,
    );
  }
  deepStrictEqual(target.arrived.map(({ path }) => path), ["/v1/ships?x=1"]);
});

Deno.test("mcp serve refuses an --allow-url that is none", async () => {
  await using home = await Home.make();
  const args = ["mcp", "serve", "--allow-url", "https://user:canary@api.example.com"];
  const { code, stdout, stderr } = await runBowire(home, args);
  deepStrictEqual([code, stdout], [1, ""]);
  match(stderr, /cannot use the URL "https:\/\/\*\*\*@api\.example\.com"/);
});

Deno.test("permit holds at once, and in later runs that load the typed URLs", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await home.put("typed-urls.json", ["https://kept.example.com/"]);
  {
    await using agent = await startAgent(home, ["--no-confirm"]);
    strictEqual((await get(agent, target.url)).isError, true);
    const { structuredContent } = await agent.call("bowire.allowlist.permit", { url: target.url });
    deepStrictEqual(structuredContent, {
      url: `${target.url}/`,
      addedToFile: true,
      addedToMemory: true,
      allowlistSize: 1,
    });
    strictEqual((await get(agent, target.url)).isError, false);
    const again = await agent.call("bowire.allowlist.permit", { url: target.url });
    strictEqual(again.structuredContent.addedToMemory, false);
    strictEqual(again.structuredContent.addedToFile, false);
  }
  deepStrictEqual(JSON.parse(await home.read("typed-urls.json")), [
    "https://kept.example.com/",
    `${target.url}/`,
  ]);
  await using later = await startAgent(home, ["--allow-invoke"]);
  strictEqual((await get(later, target.url)).isError, false);
});

Deno.test("broken files are named, add nothing and stay as they are", async () => {
  await using home = await Home.make();
  const broken = '{ "environments": [ {"id": ';
  await home.put("environments.json", broken);
  await home.put("typed-urls.json", '{"not": "a list"}');
  await using agent = await startAgent(home, ["--allow-invoke", "--no-confirm"]);
  const { urls, ignored } = (await agent.call("bowire.allowlist.show")).structuredContent;
  deepStrictEqual(urls, []);
  deepStrictEqual(ignored.map(({ value }: { value: string }) => value), [
    home.file("environments.json"),
    home.file("typed-urls.json"),
  ]);
  match(agent.stderr, /environments\.json.*it is not JSON/);
  const listed = await agent.call("bowire.env.list");
  strictEqual(listed.structuredContent.error.code, "broken_file");
  match(listed.structuredContent.error.message, /environments\.json": it is not JSON/);
  const permitted = await agent.call("bowire.allowlist.permit", { url: "https://a.example.com" });
  deepStrictEqual(
    [permitted.structuredContent.addedToFile, permitted.structuredContent.addedToMemory],
    [false, true],
  );
  strictEqual(await home.read("environments.json"), broken);
  strictEqual(await home.read("typed-urls.json"), '{"not": "a list"}');
});

Deno.test("--allow-arbitrary-urls reaches everything, and the banner warns of it", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, ["--allow-arbitrary-urls"]);
  strictEqual((await get(agent, target.url)).isError, false);
  match(agent.stderr, /WARNING: every URL is allowed \(--allow-arbitrary-urls\)/);
  const { structuredContent } = await agent.call("bowire.allowlist.show");
  strictEqual(structuredContent.allowArbitraryUrls, true);
});

Deno.test("a URL that Deno does not let through names the flag to add", async () => {
  await using home = await Home.make();
  const args = ["--allow-url", "http://127.0.0.1:8999"];
  await using agent = startStdio(home, args, { net: ["127.0.0.1:10"] });
  await agent.initialize();
  match(agent.stderr, /Deno lets nobody reach 1 of their hosts: .*--allow-net=127\.0\.0\.1:8999\n/);
  const { error } = (await get(agent, "http://127.0.0.1:8999")).structuredContent;
  strictEqual(error.code, "permission_denied");
  match(error.hint, /--allow-net=127\.0\.0\.1:8999/);
});

for (
  const [what, location] of [
    ["another port", (other: string) => `${other}/echo`],
    [
      "the same port by another name",
      (_other: string, own: string) => `${own.replace("127.0.0.1", "localhost")}/`,
    ],
    ["a file", () => "file:///etc/passwd"],
  ] as const
) {
  Deno.test(`C91 bowire.invoke refuses a redirect to ${what} and names the hop`, async () => {
    await using home = await Home.make();
    await using target = startRecordingTarget();
    await using other = startRecordingTarget();
    await using agent = await startAgent(home, ["--allow-url", target.url]);
    const to = location(other.url, target.url);
    const url = `${target.url}/to?url=${encodeURIComponent(to)}`;
    const { isError, structuredContent } = await get(agent, url);
    strictEqual(isError, true);
    match(JSON.stringify(structuredContent.error), /redirect 1 from http:\/\/127\.0\.0\.1/);
    ok(["url_not_allowed", "invalid_url"].includes(structuredContent.error.code));
    strictEqual(other.arrived.length, 0);
    strictEqual(target.arrived.length, 1);
  });
}

Deno.test("C91 bowire.invoke gives up after ten redirects", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = await startAgent(home, ["--allow-url", target.url]);
  let path = "/";
  for (let hop = 0; hop < 11; hop++) path = `/to?url=${encodeURIComponent(path)}`;
  const { structuredContent } = await get(agent, target.url + path);
  strictEqual(structuredContent.error.code, "too_many_redirects");
  strictEqual(target.arrived.length, 11);
});

Deno.test("the token of the MCP request never reaches the target", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using server = await startHttp(home, ["--token", "canary-in", "--allow-url", target.url]);
  const way = { kind: "http", url: server.url, token: "canary-in" } as const;
  await using client = await connectClient("sdk 2 auto", way);
  await client.callTool("bowire.discover", { url: target.url });
  await client.callTool("bowire.invoke", {
    url: target.url,
    service: "",
    method: "GET",
    metadata: { "X-Own": "out" },
  });
  ok(target.arrived.length > 1);
  for (const { headers } of target.arrived) {
    strictEqual(headers.get("authorization"), null);
    ok(!JSON.stringify([...headers]).includes("canary"));
  }
  strictEqual(target.arrived.at(-1)?.headers.get("x-own"), "out");
});
