/** Streams tell that they are alive. */
import { match, ok } from "node:assert/strict";
import { createEndpoint } from "../../lib/mcp/mod.ts";
import { within } from "../fakes/deadline.ts";
import { INITIALIZE, MCP_HEADERS } from "../fakes/mcp_requests.ts";
import { resultOf, tinyCatalogue } from "../fakes/tiny_catalogue.ts";

const CALLER = { principal: "" };
const COMMENT = /^: ?keep-?alive/m;

/** An endpoint whose one tool answers when it is let. */
function open() {
  const held = Promise.withResolvers<void>();
  const endpoint = createEndpoint(
    tinyCatalogue({
      async wait() {
        await held.promise;
        return resultOf({ ok: true });
      },
    }, { onChange: () => () => {} }),
    { keepAliveMs: 5 },
  );
  return { endpoint, release: held.resolve, [Symbol.asyncDispose]: () => endpoint.close() };
}

function requestOf(body: unknown, headers: Record<string, string> = {}): Request {
  const init = body === undefined
    ? { method: "GET", headers: { accept: "text/event-stream", ...headers } }
    : { method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: JSON.stringify(body) };
  return new Request("http://127.0.0.1/mcp", init);
}

/** Reads a stream until it has something. */
async function readUntil({ body }: Response, wanted: RegExp): Promise<string> {
  ok(body !== null);
  let text = "";
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (wanted.test(text)) break;
  }
  return text;
}

async function sessionOf(endpoint: ReturnType<typeof createEndpoint>): Promise<string> {
  const response = await endpoint.fetch(requestOf(INITIALIZE), CALLER);
  await response.text();
  return response.headers.get("mcp-session-id") ?? "";
}

Deno.test("the stream of a session that only listens tells that it is alive", async () => {
  await using opened = open();
  const id = await sessionOf(opened.endpoint);
  const stream = await opened.endpoint.fetch(
    requestOf(undefined, { "mcp-session-id": id }),
    CALLER,
  );
  match(await within(readUntil(stream, COMMENT), "a comment"), COMMENT);
});

Deno.test("the stream of a call in a session tells that it is alive before the answer", async () => {
  await using opened = open();
  const id = await sessionOf(opened.endpoint);
  const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "wait" } };
  const stream = await opened.endpoint.fetch(requestOf(call, { "mcp-session-id": id }), CALLER);
  match(await within(readUntil(stream, COMMENT), "a comment"), COMMENT);
  opened.release();
});

Deno.test("subscriptions/listen of 2026-07-28 tells that it is alive", async () => {
  await using opened = open();
  const listen = {
    jsonrpc: "2.0",
    id: 3,
    method: "subscriptions/listen",
    params: {
      notifications: { toolsListChanged: true },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  const stream = await opened.endpoint.fetch(requestOf(listen, headers), CALLER);
  match(await within(readUntil(stream, COMMENT), "a comment"), COMMENT);
});
