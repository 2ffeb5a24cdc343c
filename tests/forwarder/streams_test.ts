import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { within } from "../fakes/deadline.ts";
import { freePort } from "../peers/start_peer.ts";
import { startChild } from "./child.ts";
import { event, events, json, methodIn, type Script, startParent } from "./scripted_parent.ts";

const META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}';
const INITIALIZE =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":' +
  '{"tools":{"listChanged":true},"prompts":{}}}}';

/** A parent of the older revisions; `stream` is what a GET is answered with. */
function legacy(answer: Script, { stream }: { stream?: Script } = {}): Script {
  let next = 0;
  return (sent) => {
    switch (sent.text === "" ? sent.method : methodIn(sent.text)) {
      case "initialize":
        return json(HELLO, { headers: { "mcp-session-id": `session-${next++}` } });
      case "notifications/initialized":
        return new Response(null, { status: 202 });
      case "GET":
        return stream?.(sent) ?? new Response(null, { status: 405 });
      case "DELETE":
        return new Response(null, { status: 204 });
      default:
        return answer(sent);
    }
  };
}

/** A stream that ends when the test does. */
function openStream(...texts: readonly string[]): Response {
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode(texts.join(""))),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

Deno.test("a message of 2026-07-28 goes with the header fields that HTTP wants", async () => {
  const list = '{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"wëigh","inputSchema":' +
    '{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}';
  await using parent = startParent(({ text }) =>
    json(methodIn(text) === "tools/list" ? list : '{"jsonrpc":"2.0","id":2,"result":{}}')
  );
  await using forwarder = new ForwardingMcpTransport(parent.url, "secret");
  await using child = startChild(forwarder);
  await child.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{${META}}}`);
  strictEqual(await child.next(), list);
  const args = '"name":"wëigh","arguments":{"region":"eu"}';
  await child.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{${args},${META}}}`);
  await child.next();
  const fields = ["mcp-protocol-version", "mcp-method", "mcp-name", "mcp-param-region"];
  deepStrictEqual(fields.map((name) => parent.sent.at(-1)?.headers.get(name)), [
    "2026-07-28",
    "tools/call",
    "=?base64?d8OraWdo?=",
    "eu",
  ]);
  strictEqual(parent.sent.at(-1)?.headers.get("authorization"), "Bearer secret");
  ok(parent.sent.every(({ headers }) => !headers.has("mcp-session-id")));
});

Deno.test("an initialize that names 2026-07-28 is no handshake, and goes with its fields", async () => {
  const refusal = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}';
  await using parent = startParent(() => json(refusal, { status: 404 }));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{${META}}}`);
  strictEqual(await child.next(), refusal);
  const fields = ["mcp-protocol-version", "mcp-method"];
  deepStrictEqual(fields.map((name) => parent.sent.at(-1)?.headers.get(name)), [
    "2026-07-28",
    "initialize",
  ]);
});

Deno.test("a tool that no list has shown is looked up when the parent misses a field", async () => {
  const list = '{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"x","inputSchema":' +
    '{"type":"object","properties":{"a":{"type":"integer","x-mcp-header":"A"}}}}]}}';
  await using parent = startParent(({ text, headers }) => {
    if (methodIn(text) === "tools/list") return json(list);
    return headers.has("mcp-param-a")
      ? json('{"jsonrpc":"2.0","id":2,"result":{}}')
      : json('{"jsonrpc":"2.0","id":2,"error":{"code":-32020}}', { status: 400 });
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(
    `{"id":2,"method":"tools/call","params":{"name":"x","arguments":{"a":9223372036854775807},${META}}}`,
  );
  strictEqual(await child.next(), '{"jsonrpc":"2.0","id":2,"result":{}}');
  strictEqual(parent.sent.at(-1)?.headers.get("mcp-param-a"), "9223372036854775807");
});

Deno.test("a session is kept, and left at the end", async () => {
  await using parent = startParent(legacy(() => json('{"jsonrpc":"2.0","id":1,"result":{}}')));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  // All at once, as clients do that write without waiting.
  await child.send(`${INITIALIZE}\n${INITIALIZED}\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`);
  strictEqual(await child.next(), HELLO);
  strictEqual(await child.next(), '{"jsonrpc":"2.0","id":1,"result":{}}');
  deepStrictEqual(await child.end(), []);
  deepStrictEqual(
    parent.sent.filter(({ method }) => method !== "GET").map(({ method, text, headers }) => [
      methodIn(text) ?? method,
      headers.get("mcp-session-id"),
      headers.get("mcp-protocol-version"),
    ]),
    [
      ["initialize", null, null],
      ["notifications/initialized", "session-0", "2025-11-25"],
      ["tools/list", "session-0", "2025-11-25"],
      ["DELETE", "session-0", null],
    ],
  );
});

Deno.test("C64 C65 progress with its token, logs, changes of lists and questions come through", async () => {
  const own = ['{"method":"notifications/tools/list_changed"}', '{"id":9,"method":"roots/list"}'];
  const along = [
    '{"method":"notifications/progress","params":{"progressToken":"pt-77","progress":1}}',
    '{"method":"notifications/message","params":{"data":"x"}}',
    '{"id":"e","method":"elicitation/create","params":{}}',
  ];
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  await using parent = startParent(legacy(({ text }) => {
    if (methodIn(text) === undefined) {
      answer();
      return new Response(null, { status: 202 });
    }
    const result = new ReadableStream({
      async start(stream) {
        const write = (text: string) => stream.enqueue(new TextEncoder().encode(event(text)));
        along.forEach(write);
        await isAnswered;
        write('{"jsonrpc":"2.0","id":1,"result":{"_meta":{"progressToken":"pt-77"}}}');
        stream.close();
      },
    });
    return new Response(result, { headers: { "content-type": "text/event-stream" } });
  }, { stream: () => openStream(...own.map(event)) }));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`${INITIALIZE}\n${INITIALIZED}`);
  strictEqual(await child.next(), HELLO);
  deepStrictEqual([await child.next(), await child.next()], own);
  await child.send('{"id":1,"method":"tools/call","params":{"_meta":{"progressToken":"pt-77"}}}');
  deepStrictEqual([await child.next(), await child.next(), await child.next()], along);
  const reply = '{"jsonrpc":"2.0","id":"e","result":{"action":"accept","content":{"x":1}}}';
  await child.send(reply);
  match(await child.next(), /"id":1,"result"/);
  const sent = parent.sent.find(({ text }) => text === reply);
  strictEqual(sent?.headers.get("mcp-session-id"), "session-0");
});

Deno.test("giving up a request of 2026-07-28 closes its stream, and nothing else", async () => {
  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  await using parent = startParent(({ signal }) => {
    signal.addEventListener("abort", () => resolve());
    return openStream(event('{"method":"notifications/x"}'));
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`{"id":5,"method":"tools/call","params":{"name":"x",${META}}}`);
  await child.next();
  await child.send('{"method":"notifications/cancelled","params":{"requestId":5}}');
  await within(isGone, "the stream to be closed");
  strictEqual(parent.sent.length, 1);
  deepStrictEqual(await child.end(), []);
});

Deno.test("giving up a request of the older revisions is told, then its stream is closed", async () => {
  const { promise: isGone, resolve } = Promise.withResolvers<void>();
  await using parent = startParent(legacy(({ text, signal }) => {
    if (methodIn(text) === "notifications/cancelled") return new Response(null, { status: 202 });
    signal.addEventListener("abort", () => resolve());
    return openStream(event('{"method":"notifications/x"}'));
  }));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`${INITIALIZE}\n${INITIALIZED}\n{"id":5,"method":"tools/call"}`);
  await child.next();
  await child.next();
  const cancelled = '{"method":"notifications/cancelled","params":{"requestId":5,"reason":"r"}}';
  await child.send(cancelled);
  await within(isGone, "the stream to be closed");
  strictEqual(parent.named("notifications/cancelled")[0]?.text, cancelled);
  deepStrictEqual(await child.end(), []);
});

Deno.test("a stream that ends before its answer is taken up where it ended", async () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';
  await using parent = startParent(legacy(
    () => events("id: 7\nretry: 1\ndata:\n\n"),
    {
      stream: ({ headers }) =>
        headers.get("last-event-id") === "7"
          ? events(event(answer))
          : new Response(null, { status: 405 }),
    },
  ));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`${INITIALIZE}\n${INITIALIZED}\n{"id":1,"method":"tools/call"}`);
  await child.next();
  strictEqual(await child.next(), answer);
});

Deno.test("C67 a lost session is made again, and the child hears that lists may be others", async () => {
  let known = "session-0";
  const script = legacy(() => json('{"jsonrpc":"2.0","id":1,"result":{}}'));
  await using parent = startParent((sent) => {
    const id = sent.headers.get("mcp-session-id");
    return id === null || id === known ? script(sent) : json("{}", { status: 404 });
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send(`${INITIALIZE}\n${INITIALIZED}\n{"id":1,"method":"tools/list"}`);
  await child.next();
  await child.next();
  known = "session-1"; // restarted
  await child.send('{"id":1,"method":"tools/list"}');
  const lines = [await child.next(), await child.next()];
  deepStrictEqual(lines.toSorted(), [
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
  ]);
  strictEqual(parent.named("initialize").length, 2);
});

Deno.test("C67 each request is told that the parent is down, until it is up", async () => {
  const port = freePort();
  await using forwarder = new ForwardingMcpTransport(`127.0.0.1:${port}`);
  await using child = startChild(forwarder);
  for (const request of [INITIALIZE, '{"id":"b","method":"tools/list"}']) {
    await child.send(request);
    const { id, error } = JSON.parse(await child.next());
    strictEqual(id, JSON.parse(request).id);
    match(error.message, new RegExp(`cannot reach "http://127.0.0.1:${port}/bowire/mcp"`));
  }
  await using _parent = startParent(legacy(() => json('{"id":1,"result":{}}')), port);
  await child.send(INITIALIZE);
  strictEqual(await child.next(), HELLO);
});

Deno.test("C67 two children share nothing", async () => {
  await using parent = startParent(
    legacy(({ headers }) =>
      json(`{"id":1,"result":{"session":"${headers.get("mcp-session-id")}"}}`)
    ),
  );
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using one = startChild(forwarder);
  await using two = startChild(forwarder);
  for (const child of [one, two]) {
    await child.send(`${INITIALIZE}\n${INITIALIZED}`);
    await child.next();
  }
  await Promise.all([one, two].map((child) => child.send('{"id":1,"method":"x"}')));
  match(await one.next(), /"session-0"/);
  match(await two.next(), /"session-1"/);
  await one.end();
  await two.send('{"id":1,"method":"x"}');
  match(await two.next(), /"session-1"/);
});

Deno.test("an error that names nobody is given the id of its request", async () => {
  const error = '"error":{"code":-32022,"message":"m","data":{"n":9223372036854775807}}';
  await using parent = startParent(() =>
    json(`{"jsonrpc":"2.0","id":null,${error}}`, { status: 400 })
  );
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send('{"id":"q","method":"server/discover"}');
  strictEqual(await child.next(), `{"jsonrpc":"2.0","id":"q",${error}}`);
});

for (
  const [what, answer] of [
    ["without a body", () => new Response(null, { status: 202 })],
    ["by a stream without a message", () => events(": nothing\n\n")],
    ["by a page", () => new Response("<html>", { status: 500 })],
    ["by a message that is cut off", () => json('{"id":1,"resu')],
    ["to somebody else", () => json('{"id":2,"result":{}}')],
  ] as const
) {
  Deno.test(`a request that is answered ${what} gets an error that names the parent`, async () => {
    await using parent = startParent(answer);
    await using forwarder = new ForwardingMcpTransport(parent.url);
    await using child = startChild(forwarder);
    await child.send('{"id":1,"method":"x"}');
    let line = await child.next();
    if (what === "to somebody else") line = await child.next();
    const { id, error } = JSON.parse(line);
    strictEqual(id, 1);
    ok(error.message.includes(`the parent "${parent.url}"`), error.message);
  });
}

Deno.test("lines that are no messages are answered, and the next ones relayed", async () => {
  await using parent = startParent(() => json('{"id":1,"result":{}}'));
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send("{no");
  strictEqual(JSON.parse(await child.next()).error.code, -32700);
  for (const text of ["[]", "{}", "7", '"x"']) {
    await child.send(text);
    strictEqual(JSON.parse(await child.next()).error.code, -32600, text);
  }
  await child.send(`{"id":7,"x":"${"y".repeat(16 * 1024 * 1024)}"}`);
  const { id, error } = JSON.parse(await child.next());
  deepStrictEqual([id, error.code], [7, -32600]);
  await child.send(' {"id":1,"method":"x"}\r');
  strictEqual(await child.next(), '{"id":1,"result":{}}');
  strictEqual(parent.sent.length, 1);
});

Deno.test("what is in flight when the input ends is answered", async () => {
  const { promise: mayAnswer, resolve } = Promise.withResolvers<void>();
  await using parent = startParent(async () => {
    await mayAnswer;
    return json('{"id":1,"result":{}}');
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  await using child = startChild(forwarder);
  await child.send('{"id":1,"method":"x"}');
  const rest = child.end();
  resolve();
  deepStrictEqual(await rest, ['{"id":1,"result":{}}']);
});

Deno.test("a notification that cannot be relayed is told to nobody but the log", async () => {
  await using forwarder = new ForwardingMcpTransport(`127.0.0.1:${freePort()}`);
  await using child = startChild(forwarder);
  await child.send('{"method":"notifications/x"}');
  deepStrictEqual(await child.end(), []);
  match(child.troubles[0]?.message ?? "", /cannot relay to the parent/);
});
