import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { createContext, type HttpLimits } from "../../lib/protocol/mod.ts";
import { createRest } from "../../plugins/rest/plugin.ts";
import { within } from "../fakes/deadline.ts";
import { type LocalServer, rejectionOf, serveLocal } from "../fakes/rooms.ts";

/** A server whose answers do not end by themselves. */
interface Endless extends LocalServer {
  /** Settles when a client has gone away. */
  readonly gone: Promise<void>;
}

/** Answers with some text, piece by piece, and then with silence. */
function serveEndless(contentType: string, pieces: Iterable<string>): Endless {
  const gone = Promise.withResolvers<void>();
  const server = serveLocal(() => {
    const iterator = pieces[Symbol.iterator]();
    const body = new ReadableStream({
      async pull(controller) {
        const { value, done } = iterator.next();
        if (done !== true) controller.enqueue(new TextEncoder().encode(value));
        else await new Promise(() => {});
      },
      cancel: () => gone.resolve(),
    });
    return new Response(body, { headers: { "content-type": contentType } });
  });
  return { ...server, gone: within(gone.promise, "the client to go away") };
}

function* repeat(text: string): Generator<string> {
  while (true) yield text;
}

/** One exchange; the text that came, and whether it is all. */
async function fetchFrom(
  { url }: LocalServer,
  { timeoutMs, ...limits }: HttpLimits,
  signal = new AbortController().signal,
) {
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, signal, { timeoutMs });
  const startedMs = performance.now();
  const { body, isPartial } = await context.fetch(context.admit(url, ""), limits);
  const elapsedMs = performance.now() - startedMs;
  return { text: new TextDecoder().decode(body), isPartial, elapsedMs };
}

const STREAM_TYPES = [
  "text/event-stream",
  "TEXT/Event-Stream; charset=utf-8",
  "application/x-ndjson",
  "application/ndjson",
  "application/jsonl",
  "application/json-seq",
  "multipart/x-mixed-replace; boundary=x",
];
Deno.test("CallContext.fetch gives what came of an endless stream, of any such type, in time", async () => {
  await Promise.all(STREAM_TYPES.map(async (contentType) => {
    await using server = serveEndless(contentType, ["data: 1\n\n", "data: 2\n\n"]);
    const { text, isPartial, elapsedMs } = await fetchFrom(server, { timeoutMs: 600 });
    deepStrictEqual([text, isPartial], ["data: 1\n\ndata: 2\n\n", true], contentType);
    ok(elapsedMs > 500, `after ${elapsedMs} ms`);
    await server.gone;
  }));
});

const WHOLE_TYPES = [
  "text/plain",
  "application/json",
  "text/event-streams",
  "application/octet-stream",
];

Deno.test("CallContext.fetch waits for the end of other answers, and times out", async () => {
  await Promise.all(WHOLE_TYPES.map(async (contentType) => {
    await using server = serveEndless(contentType, ["data: 1\n\n"]);
    const refusal = await rejectionOf(fetchFrom(server, { timeoutMs: 100 }));
    deepStrictEqual([refusal.code, refusal.retryable], ["timeout", true], contentType);
    await server.gone;
  }));
});

Deno.test("CallContext.fetch gives a stream that ends in time whole", async () => {
  await using server = serveLocal(() =>
    new Response(
      ReadableStream.from(["data: 1\n\n", "data: 2\n\n"]).pipeThrough(new TextEncoderStream()),
      {
        headers: { "content-type": "text/event-stream" },
      },
    )
  );
  const { text, isPartial, elapsedMs } = await fetchFrom(server, { timeoutMs: 5000 });
  deepStrictEqual([text, isPartial], ["data: 1\n\ndata: 2\n\n", undefined]);
  ok(elapsedMs < 4000);
});

Deno.test("CallContext.fetch cuts a stream at the bound on bytes, other answers are refused", async () => {
  const event = "data: 1\n\n";
  await using stream = serveEndless("text/event-stream", repeat(event.repeat(100)));
  const { text, isPartial } = await fetchFrom(stream, { timeoutMs: 5000, maxBytes: 300_000 });
  strictEqual(isPartial, true);
  ok(text.length > 200_000 && text.length <= 300_000, `${text.length} bytes`);
  await stream.gone;
  await using other = serveEndless("text/plain", repeat(event.repeat(100)));
  const refusal = await rejectionOf(fetchFrom(other, { timeoutMs: 5000, maxBytes: 300_000 }));
  strictEqual(refusal.code, "too_large");
  await other.gone;
});

Deno.test("CallContext.fetch ends a stream when the caller gives up, at the server too", async () => {
  const controller = new AbortController();
  const asked = Promise.withResolvers<void>();
  const server = serveEndless(
    "text/event-stream",
    (function* () {
      yield "data: 1\n\n";
      asked.resolve();
    })(),
  );
  await using _server = server;
  const refusal = rejectionOf(fetchFrom(server, { timeoutMs: 5000 }, controller.signal));
  await asked.promise;
  controller.abort();
  deepStrictEqual([(await refusal).code, (await refusal).retryable], ["cancelled", false]);
  await server.gone;
});

Deno.test("a redirect takes its part of a stream's time", async () => {
  await using stream = serveEndless("text/event-stream", ["data: 1\n\n"]);
  await using server = serveLocal(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return Response.redirect(stream.url);
  });
  const { isPartial, elapsedMs } = await fetchFrom(server, { timeoutMs: 600 });
  strictEqual(isPartial, true);
  ok(elapsedMs > 500, `after ${elapsedMs} ms`);
});

Deno.test("an exchange has only what earlier ones have left of the call's time", async () => {
  await using stream = serveEndless("text/event-stream", ["data: 1\n\n"]);
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal, { timeoutMs: 600 });
  const target = context.admit(stream.url, "");
  const startedMs = performance.now();
  const first = await context.fetch(target, { timeoutMs: 100 });
  const second = await context.fetch(target);
  deepStrictEqual([first.isPartial, second.isPartial], [true, true]);
  ok(performance.now() - startedMs < 700);
});

Deno.test("a call of an endless stream says that it went on", async () => {
  await using server = serveEndless("text/event-stream", ["data: 1\n\n"]);
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal, { timeoutMs: 400 });
  const { status, ok: isOk, response, metadata } = await createRest().invoke({
    target: allowlist.admit(server.url),
    service: "",
    method: "GET",
    messages: [],
    metadata: {},
    validate: true,
  }, context);
  deepStrictEqual([status, isOk, response], ["200", true, "data: 1\n\n"]);
  match(metadata["http_partial"] ?? "", /went on/);
});

const OUTSIDE = [
  "file://localhost/etc/hostname",
  "file:///localhost/etc/hostname",
  "ftp://127.0.0.1/x",
];
for (const url of OUTSIDE) {
  Deno.test(`CallContext.fetch never follows a redirect to ${url}, nor reads it`, async () => {
    await using server = serveLocal(() =>
      new Response(null, { status: 302, headers: { location: url } })
    );
    const allowlist = new Allowlist({ allowArbitraryUrls: true });
    const context = createContext(allowlist, new AbortController().signal);
    for (const start of [server.url, url]) {
      const refusal = await rejectionOf(context.fetch(context.admit(start, "")));
      deepStrictEqual([refusal.code, /no HTTP URL/.test(refusal.message)], ["invalid_url", true]);
    }
  });
}
