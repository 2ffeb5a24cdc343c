import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { Parent } from "../../lib/forwarder/parent.ts";
import { HttpRelay } from "../../lib/forwarder/http/relay.ts";
import { within } from "../fakes/deadline.ts";
import { freePort } from "../peers/start_peer.ts";
import { post } from "./child.ts";
import { event, events, json, methodIn, type Script, startParent } from "./scripted_parent.ts";

const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const INITIALIZED = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}';

/** A parent with sessions, which forgets them when it is told to. */
function sessionKeeper(answer: Script): { script: Script; forget(): void; known: Set<string> } {
  const known = new Set<string>();
  let next = 0;
  return {
    known,
    forget: () => known.clear(),
    script(sent) {
      const id = sent.headers.get("mcp-session-id");
      if (id === null && methodIn(sent.text) === "initialize") {
        const given = `session-${next++}`;
        known.add(given);
        return json(INITIALIZED, { headers: { "mcp-session-id": given } });
      }
      if (id === null || !known.has(id)) return json('{"error":{"code":-32001}}', { status: 404 });
      if (sent.method === "DELETE") {
        known.delete(id);
        return new Response(null, { status: 204 });
      }
      return answer(sent);
    },
  };
}

Deno.test("C63 header fields pass, but for those that belong to one connection", async () => {
  await using parent = startParent(() =>
    json('{"id":1,"result":{}}', {
      headers: {
        "mcp-x-anything": "1",
        "x-own": "2",
        "set-cookie": "a=b",
        "www-authenticate": "x",
      },
    })
  );
  await using forwarder = new ForwardingMcpTransport(parent.url, "of-the-parent");
  const response = await forwarder.fetch(post(CALL, {
    authorization: "Bearer of-the-child",
    cookie: "canary=1",
    origin: "http://localhost",
    "mcp-protocol-version": "2026-07-28",
    "mcp-param-region": "=?base64?w6Q=?=",
    "x-request-id": "r-1",
    "last-event-id": "7",
  }));
  const [sent] = parent.sent;
  deepStrictEqual(
    ["mcp-protocol-version", "mcp-param-region", "x-request-id", "last-event-id", "accept"]
      .map((name) => sent?.headers.get(name)),
    ["2026-07-28", "=?base64?w6Q=?=", "r-1", "7", "application/json, text/event-stream"],
  );
  strictEqual(sent?.headers.get("authorization"), "Bearer of-the-parent");
  deepStrictEqual(["cookie", "origin"].map((name) => sent?.headers.get(name)), [null, null]);
  deepStrictEqual(
    ["mcp-x-anything", "x-own", "set-cookie"].map((name) => response.headers.get(name)),
    ["1", "2", null],
  );
});

Deno.test("statuses, errors with data and unknown codes pass as they are", async () => {
  const error = '{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"m","data":{"x":[1]}}}';
  await using parent = startParent(() => json(error, { status: 400 }));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const response = await forwarder.fetch(post(CALL));
  deepStrictEqual([response.status, await response.text()], [400, error]);
});

Deno.test("C67 a parent that is down is named, and tried again with the next request", async () => {
  const port = freePort();
  await using forwarder = new ForwardingMcpTransport(`127.0.0.1:${port}`);
  const response = await forwarder.fetch(post(CALL));
  const { id, error } = await response.json();
  deepStrictEqual([response.status, id, error.code], [502, 1, -32603]);
  match(
    error.message,
    new RegExp(
      `cannot relay to the parent: cannot reach "http://127.0.0.1:${port}/bowire/mcp": Conn`,
    ),
  );
  deepStrictEqual([error.data.code, error.data.retryable], ["unreachable", true]);
  await using parent = startParent(() => json('{"id":1,"result":{}}'), port);
  strictEqual((await forwarder.fetch(post(CALL))).status, 200);
  strictEqual(parent.sent.length, 1);
});

for (
  const [status, token, reason, hint] of [
    [401, undefined, /refused with HTTP 401: it wants a token/, /--attach-token-file/],
    [401, "canary-7", /refused with HTTP 401: it does not take the token/, /--attach-token-file/],
    [
      403,
      undefined,
      /refused with HTTP 403: it does not answer to "127\.0\.0\.1:\d+"/,
      /--allow-host/,
    ],
  ] as const
) {
  Deno.test(`a parent's ${status} is not the child's fault, ${token ?? "no token"}`, async () => {
    await using parent = startParent(() =>
      json("{}", { status, headers: { "www-authenticate": "Bearer" } })
    );
    await using forwarder = new ForwardingMcpTransport(parent.url, token);
    const response = await forwarder.fetch(post(CALL));
    deepStrictEqual([response.status, response.headers.get("www-authenticate")], [502, null]);
    const text = await response.text();
    match(JSON.parse(text).error.message, reason);
    match(JSON.parse(text).error.data.hint, hint);
    ok(!text.includes("canary"));
  });
}

Deno.test("a page of something else is told as such", async () => {
  await using parent = startParent(() => new Response("<html>", { status: 404 }));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const { error } = await (await forwarder.fetch(post(CALL))).json();
  match(error.message, /^the parent "http:.*" answered with HTTP 404$/);
  match(error.data.hint, /often \/bowire\/mcp or \/mcp/);
});

Deno.test("a redirect to another server is refused", async () => {
  await using other = startParent(() => json("{}"));
  await using parent = startParent(() => Response.redirect(other.url, 307));
  await using forwarder = new ForwardingMcpTransport(parent.url, "canary");
  const { error } = await (await forwarder.fetch(post(CALL))).json();
  match(error.message, /the URL is not on the allowlist/);
  match(error.data.hint, /attach to the URL itself/);
  strictEqual(other.sent.length, 0);
});

Deno.test("C67 a lost session is made again, once for all who come", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  await using parent = startParent(keeper.script);
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const opened = await forwarder.fetch(post(INITIALIZE, { "x-child": "a" }));
  const id = opened.headers.get("mcp-session-id") ?? "";
  keeper.forget();
  const statuses = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const response = await forwarder.fetch(post(CALL, { "mcp-session-id": id }));
      await response.body?.cancel();
      return response.status;
    }),
  );
  deepStrictEqual(statuses, [200, 200, 200, 200, 200]);
  const handshakes = parent.named("initialize");
  deepStrictEqual(handshakes.map(({ text }) => text), [INITIALIZE, INITIALIZE]);
  deepStrictEqual(handshakes.map(({ headers }) => headers.get("x-child")), ["a", "a"]);
  strictEqual(parent.named("notifications/initialized").length, 1);
});

Deno.test("a session that cannot be made again is the child's to open", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  let isBroken = false;
  await using parent = startParent((sent) => {
    if (!isBroken) return keeper.script(sent);
    const isNew = methodIn(sent.text) === "initialize";
    return isNew
      ? json(INITIALIZED, { headers: { "mcp-session-id": "n" } })
      : json("{}", { status: 404 });
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const id = (await forwarder.fetch(post(INITIALIZE))).headers.get("mcp-session-id") ?? "";
  isBroken = true;
  strictEqual((await forwarder.fetch(post(CALL, { "mcp-session-id": id }))).status, 404);
  const count = parent.sent.length;
  strictEqual((await forwarder.fetch(post(CALL, { "mcp-session-id": id }))).status, 404);
  strictEqual(parent.sent.length, count, "the parent is not asked again");
});

Deno.test("C95 a session is its principal's alone", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  await using parent = startParent(keeper.script);
  const relay = new HttpRelay(new Parent(new URL(parent.url), undefined));
  const opened = await relay.fetch(post(INITIALIZE), { principal: "a" });
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  for (const method of ["POST", "GET", "DELETE"]) {
    const request = method === "POST"
      ? post(CALL, headers)
      : new Request("http://localhost/mcp", { method, headers });
    strictEqual((await relay.fetch(request, { principal: "b" })).status, 404, method);
  }
  strictEqual(parent.sent.length, 1);
  strictEqual((await relay.fetch(post(CALL, headers), { principal: "a" })).status, 200);
  await relay.close();
});

Deno.test("C62 sessions of children that vanished are ended at the parent", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  const { promise: isFirstGone, resolve } = Promise.withResolvers<void>();
  await using parent = startParent((sent) => {
    if (sent.method === "DELETE") resolve();
    return keeper.script(sent);
  });
  const relay = new HttpRelay(new Parent(new URL(parent.url), undefined), { idleMs: 1 });
  await relay.fetch(post(INITIALIZE), { principal: "" });
  await within(isFirstGone, "the idle session to be ended");
  await relay.close();
  strictEqual(keeper.known.size, 0);
});

Deno.test("closing ends the sessions at the parent; reset makes children begin anew", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  await using parent = startParent(keeper.script);
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const id = (await forwarder.fetch(post(INITIALIZE))).headers.get("mcp-session-id") ?? "";
  await forwarder.reset();
  strictEqual(keeper.known.size, 0);
  strictEqual((await forwarder.fetch(post(CALL, { "mcp-session-id": id }))).status, 200);
  strictEqual(keeper.known.size, 1);
  await forwarder.close();
  strictEqual(keeper.known.size, 0);
});

Deno.test("what a child deletes is deleted at the parent", async () => {
  const keeper = sessionKeeper(() => json('{"id":1,"result":{}}'));
  await using parent = startParent(keeper.script);
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const id = (await forwarder.fetch(post(INITIALIZE))).headers.get("mcp-session-id") ?? "";
  const headers = { "mcp-session-id": id };
  const gone = await forwarder.fetch(
    new Request("http://localhost/mcp", { method: "DELETE", headers }),
  );
  deepStrictEqual([gone.status, keeper.known.size], [204, 0]);
  strictEqual((await forwarder.fetch(post(CALL, headers))).status, 404);
});

Deno.test("a stream that breaks is given its missing answer, after whole events only", async () => {
  await using parent = startParent(() =>
    events(event('{"method":"notifications/progress"}'), 'event: message\ndata: {"id":1,"resu')
  );
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const text = await (await forwarder.fetch(post(CALL))).text();
  const [, first, second, ...rest] = text.split(/event: message\ndata: /);
  strictEqual(first, '{"method":"notifications/progress"}\n\n');
  const { id, error } = JSON.parse(second ?? "");
  deepStrictEqual([id, rest], [1, []]);
  match(error.message, /^the parent "http:.*" ended its stream without an answer$/);
});

Deno.test("a stream that can be taken up again is not given an answer that may still come", async () => {
  const stream = "id: 7\nretry: 10\ndata:\n\n";
  await using parent = startParent(() => events(stream));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  strictEqual(await (await forwarder.fetch(post(CALL))).text(), stream);
});

Deno.test("a child that closes its stream closes that of the parent", async () => {
  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  await using parent = startParent(({ signal }) => {
    signal.addEventListener("abort", () => resolve());
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(event('{"method":"x"}'))),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const reader = (await forwarder.fetch(post(CALL))).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await within(isGone, "the parent to hear of it");
});

Deno.test("a child that gives up before there is an answer lets go of the parent", async () => {
  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  const { promise: hasCome, resolve: come } = Promise.withResolvers<void>();
  await using parent = startParent(async ({ signal }) => {
    signal.addEventListener("abort", () => resolve());
    come();
    await isGone;
    return json("{}");
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const giving = new AbortController();
  const request = new Request(post(CALL), { signal: giving.signal });
  const answered = forwarder.fetch(request);
  await within(hasCome, "the request to come");
  giving.abort();
  await within(isGone, "the parent to hear of it");
  strictEqual((await answered).status, 502);
});

Deno.test("a batch that cannot be relayed is answered item by item", async () => {
  await using forwarder = new ForwardingMcpTransport(`127.0.0.1:${freePort()}`);
  const batch = '[{"id":1,"method":"x"},{"method":"n"},{"id":"b","method":"y"}]';
  const answers = await (await forwarder.fetch(post(batch))).json();
  deepStrictEqual(answers.map(({ id }: { id: unknown }) => id), [1, "b"]);
});

Deno.test("a body of more than 16 MiB is refused with 413", async () => {
  await using forwarder = new ForwardingMcpTransport(`127.0.0.1:${freePort()}`);
  strictEqual((await forwarder.fetch(post("x".repeat(16 * 1024 * 1024 + 1)))).status, 413);
});
