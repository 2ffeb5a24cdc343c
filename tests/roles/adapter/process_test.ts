import { deepEqual, equal, match, ok } from "node:assert/strict";
import { openShop } from "../../adapter/shop.ts";
import { startAdapter, startBowire } from "../../fakes/bowire_process.ts";
import { type ClientKind, connectClient } from "../../fakes/clients.ts";
import { Conversation } from "../../fakes/conversation.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { INITIALIZE, post } from "../../fakes/mcp_requests.ts";
import { HAS_PEERS } from "../../peers/peers.ts";
import { json, openapi, serve } from "../../plugins/rest/fixture.ts";
import { startRestTarget } from "../../../samples/rest_target/server.ts";

const KINDS: readonly ClientKind[] = [
  ...HAS_PEERS ? ["sdk 1" as const] : [],
  "sdk 2 legacy",
  "sdk 2 auto",
  "sdk 2 pinned",
];

for (const way of ["HTTP with sessions", "HTTP without sessions", "stdio"] as const) {
  Deno.test(`the official clients list and call an API's methods over ${way}`, async () => {
    await using home = await Home.make();
    await using target = startRestTarget();
    const args = ["--url", target.url];
    const stateless = way === "HTTP without sessions" ? ["--stateless"] : [];
    await using server = way === "stdio"
      ? undefined
      : await startAdapter(home, [...args, ...stateless]);
    const verb = ["--enable-mcp-adapter", "--bind", "stdio"];
    await Promise.all(KINDS.map(async (kind) => {
      await using client = await connectClient(
        kind,
        server === undefined
          ? { kind: "stdio", home, args, verb }
          : { kind: "http", url: server.url },
      );
      const names = (await client.listTools()).map(({ name }) => name);
      deepEqual([names.length, names[0]], [21, "Berths_closeBerth"], kind);
      const harbour = await client.callTool("Harbour_getHarbour");
      match(harbour.content[0]?.text ?? "", /Nordhavn/, kind);
      const none = await client.callTool("Ships_getShip", { shipId: "9" });
      const { httpStatus, retryable } = none.structuredContent.error;
      deepEqual([none.isError, httpStatus, retryable], [true, 404, false], kind);
    }));
  });
}

/** An API with one method that is never answered while it lives. */
function openHanging() {
  const hanging = Promise.withResolvers<void>();
  const abandoned = Promise.withResolvers<void>();
  const site = serve({
    "/openapi.json": json(openapi({ "/hang": { get: { operationId: "hang", tags: ["t"] } } })),
    "/hang": async ({ signal }) => {
      signal.addEventListener("abort", () => abandoned.resolve(), { once: true });
      hanging.resolve();
      await abandoned.promise;
      return new Response();
    },
  });
  return { ...site, hanging: hanging.promise };
}

const CALL = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "t_hang" } };

Deno.test("an adapter over HTTP ends with 0 when it is interrupted, sessions and calls open", async () => {
  await Promise.all((["SIGINT", "SIGTERM"] as const).map(async (signal) => {
    await using home = await Home.make();
    await using site = openHanging();
    const args = ["--url", site.url, "--rediscover", "60", "--drain-seconds", "1"];
    await using server = await startAdapter(home, args);
    const id = (await post(server.url, INITIALIZE)).headers.get("mcp-session-id") ?? "";
    const headers = { "mcp-session-id": id };
    const accept = "text/event-stream";
    const stream = await fetch(server.url, { headers: { accept, ...headers } });
    const called = post(server.url, CALL, { headers }).then(() => "answered", () => "cut off");
    await within(site.hanging, "the call to arrive");
    const startedMs = performance.now();
    equal((await server.stop(signal)).code, 0);
    const tookMs = performance.now() - startedMs;
    ok(tookMs < 3000, `it took ${tookMs} ms`);
    await called;
    await stream.body?.cancel().catch(() => {}); // cut off already
  }));
});

function startOverStdio(home: Home, args: readonly string[]): Conversation {
  return new Conversation(
    startBowire(home, ["--enable-mcp-adapter", "--bind", "stdio", ...args], {}),
  );
}

Deno.test("an adapter over stdio writes nothing but messages, and ends with its input", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  await using agent = startOverStdio(home, ["--url", shop.url, "--port", "1"]);
  const { serverInfo, capabilities } = await agent.initialize();
  equal(Object(serverInfo).name, "bowire-adapter");
  const list = { listChanged: true };
  deepEqual(capabilities, { tools: list, resources: list, prompts: list });
  match((await agent.call("pets_listPets")).content[0]?.text ?? "", /9007199254740993/);
  const { code, rest } = await agent.finish();
  deepEqual([code, rest], [0, []]);
  match(agent.stderr, /^\[bowire-mcp\] 5 tools .*\n.*Not used over stdio: --port/);
});

Deno.test("numbers of 64 bits pass an adapter exactly, both ways", async () => {
  await using home = await Home.make();
  const big = "9007199254740993";
  const schema = { type: "object", properties: { id: { type: "integer", format: "int64" } } };
  const requestBody = { required: true, content: { "application/json": { schema } } };
  await using site = serve({
    "/openapi.json": json(openapi({
      "/pets": { post: { operationId: "add", tags: ["pets"], requestBody } },
    })),
    "/pets": () =>
      new Response(`{"id":${big}}`, { headers: { "content-type": "application/json" } }),
  });
  await using agent = startOverStdio(home, ["--url", site.url]);
  await agent.initialize();
  await agent.send(
    '{"jsonrpc":"2.0","id":9,"method":"tools/call",' +
      `"params":{"name":"pets_add","arguments":{"id":${big}}}}`,
  );
  await agent.answerTo(9);
  equal(site.received.at(-1)?.body, `{"id":${big}}`);
  match(agent.lines.at(-1) ?? "", new RegExp(`"structuredContent":\\{"id":${big}\\}`));
});

Deno.test("an adapter over stdio ends with 0 when it is interrupted, a call open", async () => {
  await Promise.all((["SIGINT", "SIGTERM"] as const).map(async (signal) => {
    await using home = await Home.make();
    await using site = openHanging();
    await using agent = startOverStdio(home, ["--url", site.url]);
    await agent.initialize();
    await agent.start("tools/call", { name: "t_hang" });
    await within(site.hanging, "the call to arrive");
    agent.kill(signal);
    equal((await agent.drain()).code, 0);
  }));
});

Deno.test("an adapter that is interrupted while it discovers ends with 130", async () => {
  await using home = await Home.make();
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await using site = serve({
    "/openapi.json": async () => {
      asked.resolve();
      await gate.promise;
      return new Response();
    },
  });
  await using running = startBowire(
    home,
    ["--url", `${site.url}/openapi.json`, "--enable-mcp-adapter", "--port", "0"],
    {},
  );
  await within(asked.promise, "the discovery");
  running.child.kill("SIGINT");
  const { code } = await within(running.ended, "the end", running.stderr);
  gate.resolve();
  equal(code, 130, running.stderr());
  await running.child.stdout.cancel();
});
