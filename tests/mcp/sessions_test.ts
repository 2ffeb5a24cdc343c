import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { createServerFactory } from "../../lib/mcp/connect.ts";
import { Sessions } from "../../lib/mcp/http/sessions.ts";
import { Clock } from "../fakes/rooms.ts";
import { echo, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const IDLE_MS = 30 * 60_000;
const OWNER = { authInfo: { token: "", clientId: "owner", scopes: [] } };

function requestOf(body: unknown): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
}

async function start(sessions: Sessions): Promise<string> {
  const params = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "t", version: "1" },
  };
  const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
  const response = await sessions.start(requestOf(body), OWNER);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

async function statusOf(sessions: Sessions, id: string): Promise<number> {
  const request = requestOf({ jsonrpc: "2.0", id: 2, method: "ping" });
  request.headers.set("mcp-session-id", id);
  const response = await sessions.serve(id, request, OWNER);
  await response.text();
  return response.status;
}

function openSessions(): { sessions: Sessions; clock: Clock } {
  const clock = new Clock();
  const factory = createServerFactory(tinyCatalogue({ echo }));
  return { clock, sessions: new Sessions(factory, { now: clock.now }) };
}

Deno.test("Sessions ends what nobody has used for half an hour", async () => {
  const { sessions, clock } = openSessions();
  const [used, idle] = [await start(sessions), await start(sessions)];
  clock.ms += IDLE_MS - 1;
  strictEqual(await statusOf(sessions, used), 200);
  strictEqual(sessions.size, 2);
  clock.ms += 1;
  deepStrictEqual([await statusOf(sessions, idle), await statusOf(sessions, used)], [404, 200]);
  strictEqual(sessions.size, 1);
  await sessions.close();
  strictEqual(sessions.size, 0);
});

Deno.test("Sessions holds a thousand; the one unused longest gives way", async () => {
  const { sessions } = openSessions();
  const ids: string[] = [];
  for (let count = 0; count < 1000; count++) ids.push(await start(sessions));
  strictEqual(new Set(ids).size, 1000);
  const [first = "", second = "", third = ""] = ids;
  strictEqual(await statusOf(sessions, first), 200);
  ok(await start(sessions) !== "");
  strictEqual(sessions.size, 1000);
  deepStrictEqual(
    [
      await statusOf(sessions, first),
      await statusOf(sessions, second),
      await statusOf(sessions, third),
    ],
    [200, 404, 200],
  );
  await sessions.close();
});
