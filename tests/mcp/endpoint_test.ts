import { deepStrictEqual, match, notStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createEndpoint, type Endpoint, type EndpointOptions } from "../../lib/mcp/mod.ts";
import { echo, resultOf, tinyCatalogue, whoami } from "../fakes/tiny_catalogue.ts";

const CATALOGUE = tinyCatalogue({
  "tiny.echo": echo,
  "tiny.whoami": whoami,
  "tiny.fail": () => ({ kind: "result", data: { error: { code: "x" } }, isError: true }),
});

/** Opens an endpoint that is closed at the end of its scope. */
function open(options?: EndpointOptions): Endpoint & AsyncDisposable {
  const endpoint = createEndpoint(CATALOGUE, options);
  return { ...endpoint, [Symbol.asyncDispose]: () => endpoint.close() };
}

interface Ask {
  readonly principal?: string;
  readonly session?: string | null;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a body as a client of revision 2025-11-25 would. */
async function post(endpoint: Endpoint, body: unknown, ask: Ask = {}): Promise<Response> {
  const { principal = "", session = null, method = "POST", headers = {} } = ask;
  const request = new Request("http://127.0.0.1/mcp", {
    method,
    headers: {
      accept: method === "GET" ? "text/event-stream" : "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
      ...(session === null ? {} : { "mcp-session-id": session }),
      ...headers,
    },
    ...(method === "POST" ? { body: typeof body === "string" ? body : JSON.stringify(body) } : {}),
  });
  return await endpoint.fetch(request, { principal });
}

function call(name: string, args: unknown = {}, id = 2): unknown {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

function initialize(client = "test-client"): unknown {
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: client, version: "9" },
    },
  };
}

/** An answer to one request; what a test does not find in it is undefined. */
interface Message {
  readonly id: unknown;
  readonly result: {
    readonly protocolVersion: string;
    readonly serverInfo: { readonly name: string };
    readonly instructions: string;
    readonly tools: readonly { readonly name: string }[];
    readonly structuredContent: Readonly<Record<string, string>>;
    readonly isError: boolean;
  };
  readonly error: { readonly code: number; readonly message: string };
}

/** The one message of an answer, whether it comes as JSON or as an event. */
async function messageOf(response: Response): Promise<Message> {
  const text = await response.text();
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return JSON.parse(data);
}

async function openSession(
  endpoint: Endpoint,
  ask: Ask & { client?: string } = {},
): Promise<string> {
  const response = await post(endpoint, initialize(ask.client), ask);
  strictEqual(response.status, 200);
  await response.text();
  const session = response.headers.get("mcp-session-id");
  ok(session !== null);
  const note = { jsonrpc: "2.0", method: "notifications/initialized" };
  const { status, body } = await post(endpoint, note, { ...ask, session });
  strictEqual(status, 202);
  await body?.cancel();
  return session;
}

async function statusOf(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}

Deno.test("createEndpoint answers initialize with a session and who it is", async () => {
  await using endpoint = open();
  const response = await post(endpoint, initialize());
  const { result } = await messageOf(response);
  match(response.headers.get("mcp-session-id") ?? "", /^[0-9a-f-]{36}$/);
  deepStrictEqual(
    [result.protocolVersion, result.serverInfo, result.instructions],
    ["2025-11-25", { name: "tiny", title: "Tiny", version: "1.2.3" }, "Use it well."],
  );
});

Deno.test("createEndpoint lists tools with the names that the client takes", async () => {
  await using endpoint = open();
  const names = async (client: string) => {
    const session = await openSession(endpoint, { client });
    const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
    const { result } = await messageOf(await post(endpoint, list, { session }));
    return result.tools.map(({ name }) => name);
  };
  deepStrictEqual((await names("inspector"))[0], "tiny.echo");
  deepStrictEqual((await names("claude-code"))[0], "tiny_echo");
});

Deno.test("createEndpoint gives a result as text and as data, numbers exact", async () => {
  await using endpoint = open();
  const session = await openSession(endpoint);
  const body = JSON.stringify(call("tiny_echo", { n: 0 })).replace('"n":0', '"n":9007199254740993');
  const text = await (await post(endpoint, body, { session })).text();
  match(text, /"structuredContent":\{"arguments":\{"n":9007199254740993\}\}/);
  match(text, /\\"n\\":9007199254740993/);
});

Deno.test("C56 createEndpoint tells an unknown tool and a failing one apart", async () => {
  await using endpoint = open();
  const session = await openSession(endpoint);
  const unknown = await messageOf(await post(endpoint, call("tiny.none"), { session }));
  deepStrictEqual(unknown.error, { code: -32602, message: "Unknown tool: tiny.none" });
  const failing = await messageOf(await post(endpoint, call("tiny.fail"), { session }));
  strictEqual(failing.result.isError, true);
});

Deno.test("createEndpoint refuses what is no JSON, and what is too large", async () => {
  await using endpoint = open();
  const bad = await post(endpoint, "{");
  strictEqual(bad.status, 400);
  const { error, id } = await messageOf(bad);
  deepStrictEqual([id, error.code], [null, -32700]);
  match(error.message, /^Parse error: (?!.*\.ts)/);
  const large = await post(endpoint, `"${"x".repeat(32 * 1024 * 1024)}"`);
  strictEqual(large.status, 413);
  match((await messageOf(large)).error.message, /larger than 16777216 bytes/);
});

for (const method of ["GET", "POST", "DELETE"]) {
  Deno.test(`C95 createEndpoint answers 404 to ${method} with somebody else's session`, async () => {
    await using endpoint = open();
    const session = await openSession(endpoint, { principal: "A" });
    for (const principal of ["B", ""]) {
      strictEqual(
        await statusOf(post(endpoint, call("tiny.echo"), { principal, session, method })),
        404,
      );
    }
    const own = await post(endpoint, call("tiny.echo", { a: 1 }), { principal: "A", session });
    deepStrictEqual((await messageOf(own)).result.structuredContent, { arguments: { a: 1 } });
  });
}

Deno.test("createEndpoint answers 404 to a session that never was", async () => {
  await using endpoint = open();
  const response = await post(endpoint, call("tiny.echo"), { session: crypto.randomUUID() });
  strictEqual(response.status, 404);
  match((await messageOf(response)).error.message, /initialize again/);
});

Deno.test("createEndpoint ends a session when its owner deletes it, and no other", async () => {
  await using endpoint = open();
  const [first, second] = [await openSession(endpoint), await openSession(endpoint)];
  notStrictEqual(first, second);
  strictEqual(await statusOf(post(endpoint, null, { session: first, method: "DELETE" })), 200);
  strictEqual(await statusOf(post(endpoint, call("tiny.echo"), { session: first })), 404);
  strictEqual(await statusOf(post(endpoint, call("tiny.echo"), { session: second })), 200);
});

Deno.test("createEndpoint opens a stream for a session on GET", async () => {
  await using endpoint = open();
  const session = await openSession(endpoint);
  const stream = await post(endpoint, null, { session, method: "GET" });
  deepStrictEqual([stream.status, stream.headers.get("content-type")], [200, "text/event-stream"]);
  await stream.body?.cancel();
});

Deno.test("createEndpoint serves an older client that has lost its session's id", async () => {
  await using endpoint = open();
  await openSession(endpoint);
  const { result } = await messageOf(await post(endpoint, call("tiny.echo", { a: 1 })));
  deepStrictEqual(result.structuredContent, { arguments: { a: 1 } });
  strictEqual(await statusOf(post(endpoint, null, { method: "GET" })), 405);
});

Deno.test("createEndpoint gives no session when it is told not to, and serves all the same", async () => {
  await using endpoint = open({ sessions: false });
  const response = await post(endpoint, initialize());
  strictEqual(response.headers.get("mcp-session-id"), null);
  strictEqual((await messageOf(response)).result.serverInfo.name, "tiny");
});

Deno.test("createEndpoint tells principals, sessions and clients apart", async () => {
  await using endpoint = open();
  const principals = new Set<string>();
  const openings: readonly (Ask & { client?: string })[] = [
    { principal: "A" },
    { principal: "A" },
    { principal: "B" },
    { principal: "A", client: "other" },
  ];
  for (const ask of openings) {
    const session = await openSession(endpoint, ask);
    const answers = await Promise.all([2, 3].map(async (id) => {
      const response = await post(endpoint, call("tiny.whoami", {}, id), { ...ask, session });
      return (await messageOf(response)).result.structuredContent;
    }));
    deepStrictEqual(answers[0], answers[1]);
    principals.add(answers[0]?.principal ?? "");
  }
  strictEqual(principals.size, 4);
});

Deno.test("createEndpoint ends every session when it closes", async () => {
  const endpoint = createEndpoint(CATALOGUE);
  const session = await openSession(endpoint);
  const stream = await post(endpoint, null, { session, method: "GET" });
  await endpoint.close();
  strictEqual(await stream.text(), "");
  strictEqual(await statusOf(post(endpoint, call("tiny.echo"), { session })), 404);
});

Deno.test("createEndpoint lets a tool see that the client has cancelled", async () => {
  const started = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const endpoint = createEndpoint(tinyCatalogue({
    async slow({ signal }) {
      signal.addEventListener("abort", () => stopped.resolve());
      started.resolve();
      await stopped.promise;
      return resultOf({});
    },
  }));
  const session = await openSession(endpoint);
  const response = post(endpoint, call("slow"), { session });
  await started.promise;
  const note = {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 2 },
  };
  strictEqual(await statusOf(post(endpoint, note, { session })), 202);
  await stopped.promise;
  await (await response).body?.cancel();
  await endpoint.close();
});
