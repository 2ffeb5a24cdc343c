/** A session that the parent has lost, and does not make again. */
import { match, strictEqual } from "node:assert/strict";
import { ForwardingMcpTransport } from "../../lib/forwarder/mod.ts";
import { Parent } from "../../lib/forwarder/parent.ts";
import { ParentSession } from "../../lib/forwarder/session.ts";
import { within } from "../fakes/deadline.ts";
import { rejectionOf } from "../fakes/rooms.ts";
import { post } from "./child.ts";
import { json, methodIn, startParent } from "./scripted_parent.ts";

const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

/** A parent that knows no session any more, and does not answer whoever wants another. */
function startDeafParent() {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let handshakes = 0;
  const parent = startParent(async ({ text }) => {
    if (methodIn(text) !== "initialize") return json("{}", { status: 404 });
    if (handshakes++ > 0) {
      asked.resolve();
      await held.promise;
    }
    const headers = { "mcp-session-id": "1" };
    return json('{"id":0,"result":{"protocolVersion":"2025-11-25"}}', { headers });
  });
  return {
    ...parent,
    asked: asked.promise,
    async [Symbol.asyncDispose]() {
      held.resolve();
      await parent[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a parent that makes no other session is not waited for longer than that takes", async () => {
  await using parent = startDeafParent();
  const way = new Parent(new URL(parent.url), undefined);
  const { signal } = new AbortController();
  const request = { method: "POST", fields: [], signal };
  const opened = await way.send({ ...request, body: INITIALIZE });
  await opened.body?.cancel();
  const handshake = { fields: [], text: INITIALIZE, sessionId: "1" };
  const session = new ParentSession(way, handshake, { renewalMs: 50 });
  const calls = [1, 2].map(() => rejectionOf(session.send({ ...request, body: CALL })));
  for (const { code, message } of await within(Promise.all(calls), "the refusals")) {
    strictEqual(code, "call_failed");
    match(
      message,
      new RegExp(`"${parent.url}" has lost the session, and gave no other within 50 ms`),
    );
  }
});

Deno.test("a child that gives up while its session is made again is not kept", async () => {
  await using parent = startDeafParent();
  await using forwarder = new ForwardingMcpTransport(parent.url);
  const opened = await forwarder.fetch(post(INITIALIZE));
  await opened.text();
  const headers = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const leaving = new AbortController();
  const request = new Request(post(CALL, headers), { signal: leaving.signal });
  const answer = forwarder.fetch(request);
  await within(parent.asked, "the parent to be asked for another session");
  leaving.abort();
  strictEqual((await within(answer, "the end of the request")).status, 502);
});
