import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { HAS_PEERS } from "../../peers/peers.ts";
import { startEverythingSse } from "../../peers/mcp_peers.ts";
import { testInBothModes } from "../grpc/fixture.ts";
import { openFixture, testBoth } from "./fixture.ts";
import { openEvents, serveMcp, toolNamed } from "./scripted.ts";

/** A web server that answers as `handler` does. */
function serveWeb(handler: (request: Request) => Response | Promise<Response>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const OLDER = /speaks the older transport of MCP, HTTP\+SSE of revision 2024-11-05/;

testBoth("the older transport is told from a web server", async (mode) => {
  await using server = serveWeb(({ method }) => {
    if (method !== "GET") return new Response(null, { status: 405 });
    const events = openEvents();
    events.send("event: endpoint\ndata: /message?sessionId=1\n\n");
    return events.response;
  });
  await using fixture = await openFixture(mode, server.url);
  const [attempt] = (await fixture.discover()).attempts;
  match(attempt?.message ?? "", OLDER);
  await rejects(fixture.tool("dive"), {
    code: "not_discovered",
    message: OLDER,
    hint: /streamable HTTP endpoint/,
  });
});

testInBothModes("the reference server over the older transport is told", async (mode) => {
  await using server = await startEverythingSse();
  await using fixture = await openFixture(mode, server.mcpUrl);
  await rejects(fixture.tool("echo", { message: "x" }), { code: "not_discovered", message: OLDER });
}, !HAS_PEERS);

for (const status of [401, 403]) {
  testBoth(`HTTP ${status} tells how the server wants to be asked`, async (mode) => {
    const challenge = 'Bearer resource_metadata="https://auth.example/x", scope="a"\u009b';
    await using server = serveWeb(() =>
      new Response("no", { status, headers: { "www-authenticate": challenge } })
    );
    await using fixture = await openFixture(mode, `mcp@${server.url}`);
    await rejects(fixture.tool("dive"), {
      code: "call_failed",
      message: new RegExp(`refused with HTTP ${status}; it asks for: Bearer .*, scope="a"$`),
      hint: /Authorization: Bearer/,
      retryable: false,
    });
  });
}

testBoth("a token that is wanted is sent, and not found where it is missing", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("dive")] });
  await using gate = serveWeb((request) =>
    request.headers.get("authorization") === "Bearer CANARY"
      ? fetch(server.url, request)
      : new Response(null, { status: 401 })
  );
  await using fixture = await openFixture(mode, gate.url);
  await rejects(fixture.tool("dive"), { code: "call_failed", message: /HTTP 401$/ });
  const metadata = { Authorization: "Bearer CANARY" };
  ok(await fixture.tool("dive", {}, { metadata }));
});

testBoth("a redirect to another origin is refused, and nothing is sent there", async (mode) => {
  await using other = serveMcp({ tools: [toolNamed("dive")] });
  await using server = serveWeb(() =>
    new Response(null, { status: 307, headers: { location: other.url } })
  );
  await using fixture = await openFixture(mode, `mcp@${server.url}`);
  await rejects(fixture.tool("dive"), { code: "url_not_allowed", message: /redirect 1 from/ });
  strictEqual(other.arrived.length, 0);
});

testBoth("a redirect to another path of the server is followed", async (mode) => {
  await using server = serveMcp({ tools: [toolNamed("dive")] });
  const elsewhere = server.url.replace("/mcp", "/");
  await using gate = serveWeb((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/mcp/") return fetch(elsewhere, request);
    return new Response(null, { status: 308, headers: { location: "/mcp/" } });
  });
  await using fixture = await openFixture(mode, gate.url);
  ok(await fixture.tool("dive"));
});

/** A body that never ends. */
function endless(piece: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(piece);
  return new ReadableStream({ pull: (controller) => controller.enqueue(bytes) });
}

const MEBIBYTE = "x".repeat(1024 * 1024);

for (
  const [what, type, piece] of [
    ["JSON", "application/json", MEBIBYTE],
    ["a line of an event", "text/event-stream", `data: ${MEBIBYTE}`],
    ["lines of one event", "text/event-stream", `data: ${MEBIBYTE}\n`],
  ] as const
) {
  testBoth(`an answer of ${what} without an end is refused`, async (mode) => {
    await using server = serveMcp({
      tools: [toolNamed("dive")],
      on: {
        "tools/call": () => new Response(endless(piece), { headers: { "content-type": type } }),
      },
    });
    await using fixture = await openFixture(mode, server.url);
    await rejects(fixture.tool("dive"), { code: "too_large" });
  });
}

testBoth("a bomb of compression is refused", async (mode) => {
  const zeros = Uint8Array.from(gzipSync(new Uint8Array(200 * 1024 * 1024)));
  await using server = serveMcp({
    tools: [toolNamed("dive")],
    on: {
      "tools/call": () =>
        new Response(zeros, {
          headers: { "content-type": "application/json", "content-encoding": "gzip" },
        }),
    },
  });
  await using fixture = await openFixture(mode, server.url);
  await rejects(fixture.tool("dive"), { code: "too_large" });
});

// Numbers that a double cannot hold take the slow way through the parser.
for (const core of ["1", "12345678901234567890"]) {
  testBoth(`nesting without measure around ${core} breaks nothing`, async (mode) => {
    const deep = `{"x":${"[".repeat(100_000)}${core}${"]".repeat(100_000)}}`;
    await using server = serveMcp({
      tools: [toolNamed("dive"), toolNamed("surface")],
      on: {
        "tools/call": ({ name }, { message: { id } }) =>
          name === "surface" ? { content: [] } : new Response(
            `{"jsonrpc":"2.0","id":${id},"result":${deep}}`,
            { headers: { "content-type": "application/json" } },
          ),
      },
    });
    await using fixture = await openFixture(mode, server.url);
    for (const [tool, args] of [["dive", "{}"], ["surface", deep]] as const) {
      const thrown = await fixture.invoke("Tools", tool, args).catch((error) => error);
      ok(thrown.ok === true || thrown.name === "BowireError", `${tool}: ${thrown}`);
    }
    strictEqual((await fixture.invoke("Tools", "surface")).ok, true);
  });
}

const ODD_ANSWERS: Readonly<Record<string, (id: number) => string>> = {
  "an answer to something else": (id) => `{"jsonrpc":"2.0","id":${id + 1000},"result":{}}`,
  "a result that is a text": (id) => `{"jsonrpc":"2.0","id":${id},"result":"done"}`,
  "an error without a code": (id) => `{"jsonrpc":"2.0","id":${id},"error":{"message":"x"}}`,
  "null": () => "null",
  "half a message": (id) => `{"jsonrpc":"2.0","id":${id},"result":{`,
};
for (const [what, bodyOf] of Object.entries(ODD_ANSWERS)) {
  testBoth(`${what} is no answer`, async (mode) => {
    await using server = serveMcp({
      tools: [toolNamed("dive")],
      on: {
        "tools/call": (_params, { message: { id } }) =>
          new Response(bodyOf(id), { headers: { "content-type": "application/json" } }),
      },
    });
    await using fixture = await openFixture(mode, server.url);
    await rejects(fixture.tool("dive"), {
      code: "not_discovered",
      message: /answered with something else than a message of MCP/,
    });
  });
}

testBoth("several messages in one body are read, as revision 2025-03-26 has them", async (mode) => {
  await using server = serveMcp({
    revision: "2025-03-26",
    tools: [toolNamed("dive")],
    on: {
      "tools/call": (_params, { message: { id } }) =>
        Response.json([
          { jsonrpc: "2.0", method: "notifications/message", params: {} },
          { jsonrpc: "2.0", id, result: { content: [] } },
        ]),
    },
  });
  await using fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("dive"), { content: [] });
});

testBoth("a server that is gone is told as such", async (mode) => {
  const server = serveMcp({ tools: [toolNamed("dive")] });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("dive");
  await server[Symbol.asyncDispose]();
  await rejects(fixture.tool("dive"), { code: "unreachable", retryable: true });
});
