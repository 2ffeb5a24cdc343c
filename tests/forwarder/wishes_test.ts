import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { Wishes } from "../../lib/forwarder/wishes.ts";
import { post } from "./child.ts";
import { json, methodIn, startParent } from "./scripted_parent.ts";

function request(method: string, params: object, id = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

const subscribe = (uri: string) => request("resources/subscribe", { uri });
const unsubscribe = (uri: string) => request("resources/unsubscribe", { uri });
const setLevel = (level: string) => request("logging/setLevel", { level });

function textsAfter(...texts: readonly string[]): readonly string[] {
  const wishes = new Wishes();
  for (const text of texts) wishes.note(text);
  return wishes.texts;
}

Deno.test("Wishes keeps the last level, and what is subscribed to still", () => {
  deepStrictEqual(
    textsAfter(
      setLevel("debug"),
      subscribe("a:1"),
      subscribe("a:2"),
      subscribe("a:1"),
      unsubscribe("a:2"),
      setLevel("error"),
    ),
    [subscribe("a:1"), setLevel("error")],
  );
});

Deno.test("Wishes keeps nothing else, whatever stands in it", () => {
  deepStrictEqual(
    textsAfter(
      request("tools/call", { name: "logging/setLevel" }),
      `[${setLevel("debug")},${subscribe("a:1")}]`,
      subscribe("a".repeat(20_000)),
      `{"method":"logging/setLevel"`,
    ),
    [],
  );
});

Deno.test("Wishes keeps no more than a thousand", () => {
  const all = Array.from({ length: 1200 }, (_, index) => subscribe(`a:${index}`));
  deepStrictEqual(textsAfter(...all), all.slice(200));
});

Deno.test("a session that is made again is asked for the same as the one that was lost", async () => {
  let id = 0;
  let isLost = false;
  await using parent = startParent(({ headers, text }) => {
    if (methodIn(text) === "initialize") {
      isLost = false;
      const given = `session-${++id}`;
      const result = '{"id":0,"result":{"protocolVersion":"2025-11-25"}}';
      return json(result, { headers: { "mcp-session-id": given } });
    }
    const isKnown = !isLost && headers.get("mcp-session-id") === `session-${id}`;
    return isKnown ? json('{"id":1,"result":{}}') : json("{}", { status: 404 });
  });
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const opened = await forwarder.fetch(
    post(request("initialize", { protocolVersion: "2025-11-25" })),
  );
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  for (const text of [setLevel("debug"), subscribe("a:1")]) {
    strictEqual((await forwarder.fetch(post(text, session))).status, 200);
  }
  isLost = true;
  const before = parent.sent.length;
  const call = request("tools/list", {});
  strictEqual((await forwarder.fetch(post(call, session))).status, 200);
  deepStrictEqual(parent.sent.slice(before).map(({ text }) => methodIn(text)), [
    "tools/list",
    "initialize",
    "notifications/initialized",
    "logging/setLevel",
    "resources/subscribe",
    "tools/list",
  ]);
});
