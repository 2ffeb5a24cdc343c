import { deepStrictEqual, doesNotMatch, match, ok, strictEqual, throws } from "node:assert/strict";
import { Allowlist } from "../../lib/gate/mod.ts";
import { type CallContext, createContext, DEFAULT_MAX_BYTES } from "../../lib/protocol/mod.ts";
import { type LocalServer, moduleUrl, rejectionOf, runModule, serveLocal } from "../fakes/rooms.ts";

function contextFor(url: string, signal = new AbortController().signal): CallContext {
  const allowlist = new Allowlist();
  allowlist.permit(url, "flag");
  return createContext(allowlist, signal);
}

/** A server whose answer never ends: it starts with `head` and goes on with `chunk` without end. */
function serveEndless(chunk: Uint8Array<ArrayBuffer> | undefined): LocalServer {
  return serveLocal(() =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("head")),
        pull: (controller) =>
          chunk === undefined ? new Promise(() => {}) : controller.enqueue(chunk),
      }),
    )
  );
}

/** A server that takes a request and says nothing until it ends itself. */
function serveSilence(): LocalServer {
  const ending = Promise.withResolvers<Response>();
  const server = serveLocal(() => ending.promise);
  return {
    ...server,
    [Symbol.asyncDispose]() {
      ending.resolve(new Response());
      return server[Symbol.asyncDispose]();
    },
  };
}

Deno.test("CallContext.admit asks the allowlist and says what supplied the URL", () => {
  const context = contextFor("http://127.0.0.1:9");
  strictEqual(context.admit("http://127.1:9/x", "a document").url, "http://127.0.0.1:9/x");
  throws(() => context.admit("http://127.0.0.1:10/", "the servers of the document"), {
    code: "url_not_allowed",
    message: /\(the servers of the document\)/,
  });
});

Deno.test("CallContext.fetch sends what it is given and gives the whole answer", async () => {
  await using server = serveLocal(async (request) =>
    new Response(`${request.method} ${request.headers.get("x-a")} ${await request.text()}`, {
      status: 418,
      headers: [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2"], ["X-B", "c"]],
    })
  );
  const context = contextFor(server.url);
  const answer = await context.fetch(context.admit(server.url, ""), {
    method: "PUT",
    headers: [["X-A", "1"], ["X-A", "2"]],
    body: "ü",
  });
  strictEqual(answer.status, 418);
  strictEqual(answer.reason, "I'm a teapot");
  strictEqual(new TextDecoder().decode(answer.body), "PUT 1, 2 ü");
  deepStrictEqual(
    answer.headers.filter(([name]) => ["set-cookie", "x-b"].includes(name)),
    [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-b", "c"]],
  );
});

Deno.test("CallContext.fetch gives up on a server that does not answer in time", async () => {
  await using server = serveSilence();
  const context = contextFor(server.url);
  const target = context.admit(`${server.url}/?token=hunter2`, "");
  const refusal = await rejectionOf(context.fetch(target, { timeoutMs: 50 }));
  deepStrictEqual([refusal.code, refusal.retryable], ["timeout", true]);
  match(refusal.message, /^no answer from "http:\/\/127.*" within 50 ms$/);
  doesNotMatch(refusal.message, /hunter2/);
});

Deno.test("CallContext.fetch takes the time limit of the context when it has none", async () => {
  await using server = serveSilence();
  const allowlist = new Allowlist({ allowArbitraryUrls: true });
  const context = createContext(allowlist, new AbortController().signal, { timeoutMs: 40 });
  const refusal = await rejectionOf(context.fetch(context.admit(server.url, "")));
  match(refusal.message, /within 40 ms$/);
});

Deno.test("CallContext.fetch gives up on a body that stops in the middle", async () => {
  await using server = serveEndless(undefined);
  const context = contextFor(server.url);
  const target = context.admit(server.url, "");
  const refusal = await rejectionOf(context.fetch(target, { timeoutMs: 100 }));
  strictEqual(refusal.code, "timeout");
});

Deno.test("CallContext.fetch counts the time of redirects together", async () => {
  await using server = serveLocal(async () => {
    await new Promise((resolve) => setTimeout(resolve, 60));
    return new Response(null, { status: 302, headers: { location: "/" } });
  });
  const context = contextFor(server.url);
  const target = context.admit(server.url, "");
  const refusal = await rejectionOf(context.fetch(target, { timeoutMs: 150 }));
  strictEqual(refusal.code, "timeout");
});

Deno.test("CallContext.fetch stops reading a body without end at the limit", async () => {
  await using server = serveEndless(new Uint8Array(64 * 1024));
  const context = contextFor(server.url);
  const target = context.admit(server.url, "");
  const refusal = await rejectionOf(context.fetch(target));
  strictEqual(refusal.code, "too_large");
  ok(refusal.message.endsWith(`is larger than ${DEFAULT_MAX_BYTES} bytes`));
  match(refusal.hint ?? "", /ask for less/);
});

Deno.test("CallContext.fetch takes a body of exactly the limit and not a byte more", async () => {
  await using server = serveLocal(() => new Response("x".repeat(1000)));
  const context = contextFor(server.url);
  const target = context.admit(server.url, "");
  strictEqual((await context.fetch(target, { maxBytes: 1000 })).body.byteLength, 1000);
  strictEqual((await rejectionOf(context.fetch(target, { maxBytes: 999 }))).code, "too_large");
});

Deno.test("CallContext.fetch ends as cancelled when the caller gives up", async () => {
  await using server = serveSilence();
  const controller = new AbortController();
  const context = contextFor(server.url, controller.signal);
  const fetching = rejectionOf(context.fetch(context.admit(server.url, "")));
  controller.abort();
  const refusal = await fetching;
  deepStrictEqual([refusal.code, refusal.retryable], ["cancelled", false]);
  strictEqual((await rejectionOf(context.fetch(context.admit(server.url, "")))).code, "cancelled");
});

async function freePort(): Promise<number> {
  await using server = serveLocal(() => new Response());
  return server.port;
}

Deno.test("CallContext.fetch says shortly why a server cannot be reached", async () => {
  const url = `http://127.0.0.1:${await freePort()}/x?api_key=hunter2`;
  const context = contextFor(url);
  const refusal = await rejectionOf(context.fetch(context.admit(url, "")));
  deepStrictEqual([refusal.code, refusal.retryable], ["unreachable", true]);
  match(refusal.message, /^cannot reach "http:[^"]*": Connection refused$/i);
  doesNotMatch(`${refusal.message}${refusal.hint}`, /hunter2|os error/);
});

Deno.test("CallContext.fetch says that a name is unknown or a server speaks no HTTP", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    using connection = await listener.accept();
    await connection.read(new Uint8Array(1024));
    await connection.write(new TextEncoder().encode("SSH-2.0-OpenSSH_9\r\n"));
  })();
  const urls = ["http://nowhere.invalid/", `http://127.0.0.1:${listener.addr.port}/`];
  for (const url of urls) {
    const context = contextFor(url);
    const refusal = await rejectionOf(context.fetch(context.admit(`${url}?sig=hunter2`, "")));
    strictEqual(refusal.code, "unreachable");
    match(refusal.message, /^cannot reach ".*": \w/);
    ok(refusal.message.length < 300);
    doesNotMatch(refusal.message, /hunter2/);
  }
  await serving;
});

Deno.test("CallContext.fetch names host and port when Deno does not let it dial", async () => {
  const { stdout, stderr } = await runModule(
    `
      import { Allowlist } from "${moduleUrl("lib/gate/mod.ts")}";
      import { createContext } from "${moduleUrl("lib/protocol/mod.ts")}";
      const context = createContext(
        new Allowlist({ allowArbitraryUrls: true }),
        new AbortController().signal,
      );
      for (const url of ["http://127.0.0.1:8099/x?token=hunter2", "https://api.example/"]) {
        try {
          await context.fetch(context.admit(url, ""));
        } catch ({ code, message, hint, details }) {
          console.log(JSON.stringify({ code, message, hint, details }));
        }
      }
    `,
    ["--no-check", "--allow-net=127.0.0.1:9"],
  );
  strictEqual(stderr, "");
  const [first, second] = stdout.trim().split("\n").map((line) => JSON.parse(line));
  deepStrictEqual(first, {
    code: "permission_denied",
    message: 'Deno does not let this process reach "http://127.0.0.1:8099/x?token=***"',
    hint: "start it with --allow-net=127.0.0.1:8099",
    details: { host: "127.0.0.1", port: 8099 },
  });
  strictEqual(second.hint, "start it with --allow-net=api.example:443");
});

async function gzipOfZeros(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const piece = new Uint8Array(1024 * 1024);
  const zeros = ReadableStream.from(Array.from({ length: bytes / piece.length }, () => piece));
  return await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).bytes();
}

Deno.test("C102 CallContext.fetch stops a decompression bomb and stays small", async () => {
  const bomb = await gzipOfZeros(200 * 1024 * 1024);
  ok(bomb.byteLength < 300_000);
  await using server = serveLocal(() =>
    new Response(bomb, { headers: { "content-encoding": "gzip", "content-type": "text/plain" } })
  );
  const { stdout, stderr } = await runModule(
    `
      import { Allowlist } from "${moduleUrl("lib/gate/mod.ts")}";
      import { createContext } from "${moduleUrl("lib/protocol/mod.ts")}";
      const context = createContext(
        new Allowlist({ allowArbitraryUrls: true }),
        new AbortController().signal,
      );
      const before = Deno.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 1);
      const outcome = await context.fetch(context.admit("${server.url}", "")).catch((error) => error);
      clearInterval(timer);
      peak = Math.max(peak, Deno.memoryUsage().rss);
      console.log(JSON.stringify({ code: outcome.code, growth: peak - before }));
    `,
    ["--no-check", `--allow-net=127.0.0.1:${server.port}`],
  );
  strictEqual(stderr, "");
  const { code, growth } = JSON.parse(stdout);
  strictEqual(code, "too_large");
  ok(growth < 64 * 1024 * 1024, `memory grew by ${growth} bytes`);
});
