import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Allowlist } from "../../../lib/gate/mod.ts";
import { createContext } from "../../../lib/protocol/mod.ts";
import { createMcp } from "../../../plugins/mcp/plugin.ts";
import { Clock } from "../../fakes/rooms.ts";
import { openFixture, testBoth } from "./fixture.ts";
import {
  MODERN,
  Refused,
  type Script,
  type ScriptedServer,
  serveMcp,
  toolNamed,
} from "./scripted.ts";

const TOOLS = { tools: [toolNamed("dive")] };
const DONE = { content: [{ type: "text", text: "done" }] };

testBoth(
  "a session is named and its revision told after initialize, and ended at the close",
  async (mode) => {
    await using server = serveMcp({ ...TOOLS, revision: "2025-06-18" });
    const fixture = await openFixture(mode, server.url);
    deepStrictEqual(await fixture.tool("dive"), DONE);
    const [id = ""] = server.sessions;
    const told = server.arrived.map(({ verb, message, headers }) => [
      message.method ?? verb,
      headers.get("mcp-session-id"),
      headers.get("mcp-protocol-version"),
    ]);
    deepStrictEqual(told, [
      ["server/discover", null, MODERN],
      ["initialize", null, null],
      ["notifications/initialized", id, "2025-06-18"],
      ["tools/list", id, "2025-06-18"],
      ["GET", id, "2025-06-18"],
      ["tools/call", id, "2025-06-18"],
    ]);
    await fixture[Symbol.asyncDispose]();
    const [ending] = server.named("DELETE");
    strictEqual(ending?.headers.get("mcp-session-id"), id);
    strictEqual(ending?.headers.get("mcp-protocol-version"), "2025-06-18");
    strictEqual(server.sessions.size, 0);
  },
);

testBoth("C46 a server of 2025 gets no revision in the header of its initialize", async (mode) => {
  await using server = serveMcp({ ...TOOLS });
  await using fixture = await openFixture(mode, server.url);
  const { attempts } = await fixture.discover();
  match(attempts[0]?.message ?? "", /scripted 1\.0, revision 2025-11-25/);
  const [initialize] = server.named("initialize");
  const names = [...initialize?.headers.keys() ?? []].filter((name) => name.startsWith("mcp-"));
  deepStrictEqual(names, []);
  deepStrictEqual(Object.keys(initialize?.message.params._meta), ["progressToken"]);
  strictEqual(initialize?.message.params.protocolVersion, "2025-11-25");
});

for (const status of [400, 404, 405, 415, 500, 501]) {
  testBoth(`C46 a probe that is answered with a bare ${status} falls back`, async (mode) => {
    await using server = serveMcp({ ...TOOLS });
    await using gate = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      if (request.headers.get("mcp-protocol-version") !== MODERN) return fetch(server.url, request);
      return new Response("what is that?", { status });
    });
    await using fixture = await openFixture(mode, `http://127.0.0.1:${gate.addr.port}/mcp`);
    deepStrictEqual(await fixture.tool("dive"), DONE);
  });
}

testBoth("a server without a handshake is asked without one, and has no session", async (mode) => {
  await using server = serveMcp({ ...TOOLS, revision: MODERN });
  const fixture = await openFixture(mode, server.url);
  deepStrictEqual(await fixture.tool("dive"), DONE);
  await fixture[Symbol.asyncDispose]();
  deepStrictEqual(server.arrived.map(({ verb, message }) => message.method ?? verb), [
    "server/discover",
    "tools/list",
    "tools/call",
  ]);
  for (const { headers, message } of server.arrived) {
    strictEqual(headers.get("mcp-protocol-version"), MODERN);
    strictEqual(headers.get("mcp-method"), message.method);
    const { _meta } = message.params;
    strictEqual(_meta["io.modelcontextprotocol/protocolVersion"], MODERN);
    ok(_meta["io.modelcontextprotocol/clientCapabilities"].elicitation);
    ok(_meta.progressToken !== undefined);
  }
  strictEqual(server.named("tools/call")[0]?.headers.get("mcp-name"), "dive");
});

testBoth("a second call goes on in the session of the first", async (mode) => {
  await using server = serveMcp({ ...TOOLS });
  await using fixture = await openFixture(mode, server.url);
  await fixture.discover();
  await fixture.tool("dive");
  await fixture.tool("dive");
  const counts = ["initialize", "tools/list", "tools/call"].map((name) =>
    server.named(name).length
  );
  deepStrictEqual(counts, [1, 1, 2]);
});

testBoth("callers with other headers have sessions of their own", async (mode) => {
  await using server = serveMcp({ ...TOOLS });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("dive", {}, { metadata: { authorization: "Bearer one" } });
  await fixture.tool("dive", {}, { metadata: { authorization: "Bearer two" } });
  const tokensBySession = Map.groupBy(
    server.arrived.filter(({ headers }) => headers.has("mcp-session-id")),
    ({ headers }) => headers.get("mcp-session-id"),
  );
  const tokens = [...tokensBySession.values()].map((requests) =>
    new Set(requests.map(({ headers }) => headers.get("authorization")))
  );
  deepStrictEqual(tokens, [new Set(["Bearer one"]), new Set(["Bearer two"])]);
});

/** Counts initialize, and the requests of another method. */
function countOf(server: ScriptedServer, method: string): number[] {
  return [server.named("initialize").length, server.named(method).length];
}

testBoth("C41 a session that is dead is begun anew once, and the call goes on", async (mode) => {
  await using server = serveMcp({ ...TOOLS });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("dive");
  server.sessions.clear();
  deepStrictEqual(await fixture.tool("dive"), DONE);
  deepStrictEqual(countOf(server, "tools/call"), [2, 3]);
  strictEqual(server.sessions.size, 1);
});

for (
  const body of ["gone", '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"gone"}}']
) {
  testBoth(`C41 a session that is dead again fails the call: ${body.slice(0, 9)}`, async (mode) => {
    const on = { "tools/call": () => new Response(body, { status: 404 }) };
    await using server = serveMcp({ ...TOOLS, on });
    await using fixture = await openFixture(mode, server.url);
    await rejects(fixture.tool("dive"), /HTTP 404|Error-32000/);
    deepStrictEqual(countOf(server, "tools/call"), [2, 2]);
  });
}

testBoth("C41 a session that cannot be begun anew fails the call", async (mode) => {
  await using server = serveMcp({ ...TOOLS });
  await using fixture = await openFixture(mode, server.url);
  await fixture.tool("dive");
  const { sessions } = server;
  sessions.clear();
  sessions.add = () => sessions; // none lives from here on
  await rejects(fixture.tool("dive"), { message: /HTTP 404/ });
  deepStrictEqual(countOf(server, "tools/call"), [2, 2]);
});

const REFUSALS: readonly (readonly [what: string, script: Script, message: RegExp])[] = [
  [
    "has a revision to come only",
    { revision: MODERN, on: { "server/discover": () => ({ supportedVersions: ["2031-01-01"] }) } },
    /other revisions of MCP only: 2031-01-01/,
  ],
  [
    "answers with a revision of its own",
    { revision: "2031-01-01\u001b[2J" },
    /revision "2031-01-01\[2J" of MCP only/,
  ],
  [
    "refuses the handshake",
    {
      on: {
        initialize() {
          throw new Refused(-32602, "no strangers");
        },
      },
    },
    /error -32602: no strangers/,
  ],
  [
    "misses a header of the probe",
    {
      revision: MODERN,
      on: {
        "server/discover"() {
          throw new Refused(-32020, "no such header");
        },
      },
    },
    /error -32020: no such header/,
  ],
];
for (const [what, script, message] of REFUSALS) {
  testBoth(`a server that ${what} is no server of ours, and the reason is told`, async (mode) => {
    await using server = serveMcp(script);
    await using fixture = await openFixture(mode, server.url);
    await rejects(fixture.tool("dive"), { message });
  });
}

testBoth(
  "C41 lists that find the session dead at the same time begin one together",
  async (mode) => {
    await using server = serveMcp({ ...TOOLS, resources: [], templates: [], prompts: [] });
    await using fixture = await openFixture(mode, server.url);
    await fixture.discover();
    server.sessions.clear();
    const { attempts } = await fixture.discover();
    strictEqual(attempts[0]?.outcome, "ok");
    deepStrictEqual(countOf(server, "tools/list"), [2, 3]);
    strictEqual(server.sessions.size, 1);
  },
);

for (const method of ["initialize", "tools/list"]) {
  Deno.test(`a caller who gives up during ${method} takes no other with it`, async () => {
    const first = Promise.withResolvers<Response>();
    let asked = 0;
    const answer = method === "initialize"
      ? { protocolVersion: "2025-11-25", capabilities: { tools: {} } }
      : TOOLS;
    await using server = serveMcp({
      ...TOOLS,
      on: { [method]: () => ++asked === 1 ? first.promise : answer },
    });
    using _end = { [Symbol.dispose]: () => first.resolve(new Response()) };
    const mcp = createMcp();
    const allowlist = new Allowlist();
    allowlist.permit(server.url, "flag");
    const target = allowlist.admit(server.url);
    const call = { target, service: "Tools", method: "dive", messages: [], metadata: {} };
    const invoke = (signal: AbortSignal) =>
      mcp.invoke({ ...call, validate: true }, createContext(allowlist, signal));
    const giving = new AbortController();
    const given = invoke(giving.signal);
    const patient = invoke(new AbortController().signal);
    await server.when(method);
    giving.abort();
    await rejects(given, { code: "cancelled" });
    strictEqual((await patient).ok, true);
    strictEqual(asked, 2);
    await mcp.close?.(createContext(allowlist, new AbortController().signal));
  });
}

Deno.test("a session that nobody uses is ended, and a list grows stale", async () => {
  await using server = serveMcp({ ...TOOLS });
  await using other = serveMcp({ ...TOOLS });
  const clock = new Clock();
  const mcp = createMcp({ nowMs: clock.now });
  const allowlist = new Allowlist();
  const context = createContext(allowlist, new AbortController().signal);
  const call = (url: string) => {
    allowlist.permit(url, "flag");
    const target = allowlist.admit(url);
    const named = { service: "Tools", method: "dive" };
    return mcp.invoke(
      { target, ...named, messages: ["{}"], metadata: {}, validate: true },
      context,
    );
  };
  await call(server.url);
  clock.ms += 59_000;
  await call(server.url);
  deepStrictEqual(countOf(server, "tools/list"), [1, 1]);
  clock.ms += 2_000;
  await call(server.url);
  deepStrictEqual(countOf(server, "tools/list"), [1, 2]);
  clock.ms += 301_000;
  await call(other.url);
  await server.when("DELETE");
  deepStrictEqual([server.sessions.size, other.sessions.size], [0, 1]);
  await mcp.close?.(context);
  strictEqual(other.sessions.size, 0);
});
