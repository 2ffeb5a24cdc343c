import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { endedBy, isListening } from "../../lib/cli/serve/drain.ts";
import { within } from "../fakes/deadline.ts";

const EVENTS = { headers: { "content-type": "text/event-stream" } };
const TICK = new TextEncoder().encode("data: 1\n\n");

function isListeningFor(init: RequestInit, response: Response): boolean {
  return isListening(new Request("http://localhost/mcp", init), response);
}

Deno.test("isListening is for streams that nobody asked an answer of", () => {
  const stream = () => new Response("", EVENTS);
  const listen = { method: "POST", headers: { "mcp-method": "subscriptions/listen" } };
  const call = { method: "POST", headers: { "mcp-method": "tools/call" } };
  deepStrictEqual(
    [
      isListeningFor({}, stream()),
      isListeningFor(listen, stream()),
      isListeningFor(call, stream()),
      isListeningFor({}, Response.json({})),
    ],
    [true, true, false, false],
  );
});

Deno.test("endedBy ends a stream as if all were said, and lets go of its source", async () => {
  const gone = Promise.withResolvers<void>();
  const source = new ReadableStream({
    start: (controller) => controller.enqueue(TICK),
    cancel: () => gone.resolve(),
  });
  const draining = new AbortController();
  const { body, headers } = endedBy(new Response(source, EVENTS), draining.signal);
  strictEqual(headers.get("content-type"), "text/event-stream");
  const reader = body?.getReader();
  deepStrictEqual((await reader?.read())?.value, TICK);
  const next = reader?.read();
  draining.abort();
  strictEqual((await next)?.done, true);
  await within(gone.promise, "the source to be let go");
});

Deno.test("endedBy ends a stream at once that comes while a server ends", async () => {
  const endless = new ReadableStream({ pull: (to) => to.enqueue(TICK) });
  const response = endedBy(new Response(endless, EVENTS), AbortSignal.abort());
  strictEqual(await within(response.text(), "the end"), "");
});

Deno.test("endedBy passes on what comes, the end, a failure and a farewell", async () => {
  const { signal } = new AbortController();
  strictEqual(await endedBy(new Response("all"), signal).text(), "all");
  strictEqual(endedBy(new Response(null), signal).body, null);
  const broken = new ReadableStream({ pull: (to) => to.error(new Error("broken")) });
  const failure = await endedBy(new Response(broken), signal).text().catch(String);
  strictEqual(failure, "Error: broken");
  const gone = Promise.withResolvers<unknown>();
  const source = new ReadableStream({ cancel: gone.resolve });
  await endedBy(new Response(source), signal).body?.cancel("enough");
  strictEqual(await within(gone.promise, "the source to be let go"), "enough");
});
