/** The handler of an embedder: what is mounted where, and for whom. */
import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { type Bowire, createBowire, type CreateBowireOptions } from "../../../mod.ts";
import { startRestTarget } from "../../../samples/rest_target/server.ts";
import { connectClient } from "../../fakes/clients.ts";
import { within } from "../../fakes/deadline.ts";
import { Home } from "../../fakes/home.ts";
import { INITIALIZE, MCP_HEADERS } from "../../fakes/mcp_requests.ts";
import { rejectionOf } from "../../fakes/rooms.ts";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

function create(home: Home, options: CreateBowireOptions = {}): Promise<Bowire> {
  return createBowire({ home: home.path, loadAllowlistFromEnvironments: false, ...options });
}

/** A request; a POST when it has a body. */
function request(path: string, body?: unknown, headers: Record<string, string> = {}): Request {
  const init = body === undefined
    ? { headers }
    : { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(body) };
  return new Request(`http://localhost${path}`, init);
}

async function textOf(response: Response | null): Promise<string> {
  return await response?.text() ?? "null";
}

Deno.test("withMcpAdapter mounts the tools of an API beside Bowire's own", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await (await create(home)).withMcpAdapter(target.url);
  match(await textOf(await bowire.fetch(request("/bowire/mcp", LIST))), /bowire\.discover/);
  match(await textOf(await bowire.fetch(request("/bowire/mcp/adapter", LIST))), /Ships_getShip/);
  deepStrictEqual(JSON.parse(await textOf(await bowire.fetch(request("/bowire/mcp/manifest")))), {
    endpoints: [
      { path: "/bowire/mcp", mode: "server" },
      { path: "/bowire/mcp/adapter", mode: "adapter" },
    ],
  });
  const info = await bowire.fetch(request("/bowire/mcp/api/mcp-adapter"));
  deepStrictEqual(JSON.parse(await textOf(info)), { enabled: true, path: "/bowire/mcp/adapter" });
  const again = await bowire.fetch(request("/bowire/mcp/api/mcp-adapter/rediscover", {}));
  strictEqual(again?.status, 200);
  await again?.body?.cancel();
});

Deno.test("what an adapter reaches is not for Bowire's own tools to reach", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await (await create(home)).withMcpAdapter({
    urls: [target.url],
    include: { service: ["Berths"] },
  });
  const args = { url: target.url, service: "Ships", method: "listShips" };
  const params = { name: "bowire.invoke", arguments: args };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  match(await textOf(await bowire.fetch(request("/bowire/mcp", call))), /url_not_allowed/);
});

Deno.test("withMcpAdapter takes the place of Bowire's own tools where those are off", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await create(home, { mcpServer: false });
  const early = await bowire.fetch(request("/bowire/mcp", LIST));
  strictEqual(early?.status, 404);
  match(await textOf(early), /MCP is at no path yet/);
  await bowire.withMcpAdapter({ urls: [target.url] });
  const listed = await textOf(await bowire.fetch(request("/bowire/mcp", LIST)));
  match(listed, /Ships_getShip/);
  strictEqual(listed.includes("bowire.discover"), false);
  deepStrictEqual(JSON.parse(await textOf(await bowire.fetch(request("/bowire/mcp/manifest")))), {
    endpoints: [{ path: "/bowire/mcp", mode: "adapter" }],
  });
});

Deno.test("withMcpAdapter is had once, and may be tried again when it failed", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await create(home);
  const refusal = await rejectionOf(bowire.withMcpAdapter("http://127.0.0.1:9"));
  match(refusal.message, /127\.0\.0\.1:9/);
  match(await textOf(await bowire.fetch(request("/bowire/mcp", LIST))), /bowire\.discover/);
  await bowire.withMcpAdapter(target.url);
  const second = await rejectionOf(bowire.withMcpAdapter(target.url));
  deepStrictEqual([second.code, second.message], [
    "usage",
    "cannot add an adapter: there is one already",
  ]);
});

Deno.test("closing a Bowire ends the discovery of its adapter", async () => {
  await using home = await Home.make();
  const asked = Promise.withResolvers<void>();
  const fetch = (): Promise<Response> => {
    asked.resolve();
    return new Promise(() => {});
  };
  const bowire = await create(home, { apps: { slow: { fetch } } });
  const adapting = rejects(bowire.withMcpAdapter("app://slow"), { code: "cancelled" });
  await within(asked.promise, "the discovery to begin");
  await within(bowire.close(), "the end");
  await within(adapting, "the discovery to end");
});

Deno.test("mcp serves Bowire's tools at whatever path it is routed to", async () => {
  await using home = await Home.make();
  await using bowire = await create(home, { token: "canary" });
  const authorization = { authorization: "Bearer canary" };
  const served = await bowire.mcp(request("/somewhere/else", LIST, authorization));
  match(await served.text(), /bowire\.discover/);
  const refused = await bowire.mcp(request("/somewhere/else", LIST));
  strictEqual(refused.status, 401);
  await refused.body?.cancel();
});

Deno.test("mcp and fetch count together against the rate limit", async () => {
  await using home = await Home.make();
  await using bowire = await create(home, { rateLimit: 1 });
  await (await bowire.mcp(request("/x", LIST))).text();
  const second = await bowire.fetch(request("/bowire/mcp", LIST));
  strictEqual(second?.status, 429);
  await second?.body?.cancel();
});

Deno.test("C95 a session is that of the principal whom the host names", async () => {
  await using home = await Home.make();
  const principal = ({ headers }: Request) => headers.get("x-user") ?? "";
  await using bowire = await create(home, { principal });
  const opened = await bowire.fetch(request("/bowire/mcp", INITIALIZE, { "x-user": "ann" }));
  await opened?.body?.cancel();
  const session = { "mcp-session-id": opened?.headers.get("mcp-session-id") ?? "" };
  const statusFor = async (user: string, method?: "GET" | "DELETE") => {
    const headers = { ...session, "x-user": user };
    const asked = method === undefined
      ? request("/bowire/mcp", LIST, headers)
      : new Request("http://localhost/bowire/mcp", {
        method,
        headers: { ...headers, accept: "text/event-stream" },
      });
    const response = await bowire.fetch(asked);
    await response?.body?.cancel();
    return response?.status;
  };
  deepStrictEqual(
    [await statusFor("ben"), await statusFor("ben", "GET"), await statusFor("ben", "DELETE")],
    [404, 404, 404],
  );
  strictEqual(await statusFor("ann"), 200);
});

Deno.test("C94 a foreign Host or Origin is refused, and the app stays up", async () => {
  await using home = await Home.make();
  await using bowire = await create(home);
  for (
    const headers of [
      { host: "evil.example" },
      { host: "127.0.0.1.evil" },
      { origin: "http://evil" },
      { origin: "null" },
    ]
  ) {
    const response = await bowire.fetch(request("/bowire/mcp", LIST, headers));
    strictEqual(response?.status, 403);
    await response?.body?.cancel();
  }
  match(await textOf(await bowire.fetch(request("/bowire/mcp", LIST))), /bowire\.discover/);
});

Deno.test("a body that stops half way is refused with 408", async () => {
  await using home = await Home.make();
  await using bowire = await create(home, { bodyTimeoutMs: 50 });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request, info) => await bowire.fetch(request, info) ?? new Response(),
  );
  using socket = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
  const head = ["POST /bowire/mcp HTTP/1.1", "Host: localhost", "Content-Length: 99", "", "{"];
  const writer = socket.writable.getWriter();
  await writer.write(new TextEncoder().encode(head.join("\r\n")));
  const answer = new Uint8Array(100);
  const read = await within(socket.read(answer), "the refusal");
  match(new TextDecoder().decode(answer.subarray(0, read ?? 0)), /^HTTP\/1\.1 408 /);
});

Deno.test("{basePath}/healthz tells that it is alive, by any name and without a token", async () => {
  await using home = await Home.make();
  await using bowire = await create(home, { token: "canary" });
  for (const headers of [{}, { host: "10.1.2.3:5081" }]) {
    const asked = new Request("http://localhost/bowire/healthz", { headers });
    strictEqual(await textOf(await bowire.fetch(asked)), '{"status":"ok"}');
  }
});

Deno.test("at the root, all but MCP is left to the app", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await create(home, { basePath: "/", mcpServer: false });
  await bowire.withMcpAdapter(target.url);
  match(await textOf(await bowire.fetch(request("/mcp", LIST))), /Ships_getShip/);
  match(await textOf(await bowire.fetch(request("/api/mcp-adapter"))), /"path":"\/mcp"/);
  for (const path of ["/", "/healthz", "/mcpx", "/api"]) {
    strictEqual(await bowire.fetch(request(path)), null);
  }
});

Deno.test("an official client finds the adapter of an embedder at its path", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  await using bowire = await (await create(home)).withMcpAdapter(target.url);
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request, info) => await bowire.fetch(request, info) ?? new Response(),
  );
  const url = `http://127.0.0.1:${server.addr.port}/bowire/mcp/adapter`;
  await using client = await connectClient("sdk 2 auto", { kind: "http", url });
  const answer = await client.callTool("Ships_getShip", { shipId: "9007199254740993" });
  match(JSON.stringify(answer.content), /9007199254740993/);
  await bowire.close(); // or its open stream would hold up the server
});
