/** What an HTTP listener owes to those who run it. */
import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { startHttp } from "../fakes/bowire_process.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { INITIALIZE, post } from "../fakes/mcp_requests.ts";
import { serveLocal } from "../fakes/rooms.ts";

const PING = { jsonrpc: "2.0", id: 9, method: "ping" };

/** A target that answers when it is let, and tells when it was asked. */
function heldTarget() {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = serveLocal(async () => {
    asked.resolve();
    await held.promise;
    return new Response("at last");
  });
  return { ...server, asked: asked.promise, release: held.resolve };
}

function invoke(url: string) {
  return {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "bowire.invoke", arguments: { url, service: "", method: "GET" } },
  };
}

/** Opens the stream of a session that only listens. */
async function listen(url: string): Promise<ReadableStream<Uint8Array>> {
  const id = (await post(url, INITIALIZE)).headers.get("mcp-session-id") ?? "";
  const { body } = await fetch(url, {
    headers: { accept: "text/event-stream", "mcp-session-id": id },
  });
  ok(body !== null);
  return body;
}

Deno.test("SIGTERM lets a call end, and ends streams that only listen at once", async () => {
  await using home = await Home.make();
  await using target = heldTarget();
  await using server = await startHttp(home, ["--allow-url", target.url]);
  const stream = await listen(server.url);
  const called = post(server.url, invoke(target.url)).then(({ text }) => text);
  await within(target.asked, "the call to arrive");
  server.child.kill("SIGTERM");
  // The stream ends as if all were said, while the call is still open.
  await within(new Response(stream).text(), "the stream to end");
  target.release();
  match(await within(called, "the call to end"), /at last/);
  strictEqual((await within(server.ended, "the server to end")).code, 0);
});

Deno.test("a call that outlasts --drain-seconds is cut off, and the exit code is 0", async () => {
  await using home = await Home.make();
  await using target = heldTarget();
  const args = ["--allow-url", target.url, "--drain-seconds", "1"];
  await using server = await startHttp(home, args);
  const called = post(server.url, invoke(target.url)).then(() => "ended", () => "cut off");
  await within(target.asked, "the call to arrive");
  strictEqual((await server.stop("SIGTERM")).code, 0);
  await called;
  target.release();
});

Deno.test("/healthz needs no token, and says nothing else", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--token", "canary"]);
  const url = new URL("/healthz", server.url);
  const health = await fetch(url);
  deepStrictEqual([health.status, await health.text()], [200, '{"status":"ok"}']);
  const head = await fetch(url, { method: "HEAD" });
  deepStrictEqual([head.status, await head.text()], [200, ""]);
  const other = await fetch(url, { method: "POST" });
  strictEqual(other.status, 401);
  await other.body?.cancel();
});

Deno.test("--access-log tells each request in a line, and no secret", async () => {
  await using home = await Home.make();
  const flags = ["--access-log", "--token", "canary"];
  await using server = await startHttp(home, flags);
  const response = await fetch(`${server.url}?api_key=canary`, {
    method: "POST",
    headers: { authorization: "Bearer canary", "content-type": "application/json" },
    body: JSON.stringify(PING),
  });
  await response.body?.cancel();
  const refused = await fetch(new URL("/healthz", server.url));
  await refused.body?.cancel();
  await server.stop();
  const lines = server.stderr().split("\n").filter((line) => line.includes('HTTP"'));
  strictEqual(lines.length, 2, server.stderr());
  match(
    lines[0] ?? "",
    /^127\.0\.0\.1 - - \[\d\d\/\w{3}\/\d{4}:[\d:]{8} \+0000\] "POST \/mcp HTTP" /,
  );
  match(lines[1] ?? "", /"GET \/healthz HTTP" 200 15 [\d.]+ ms$/);
  doesNotMatch(server.stderr(), /canary/);
});

Deno.test("--access-log json is an object a line", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--access-log", "json"]);
  await post(server.url, PING);
  await server.stop();
  const line = server.stderr().split("\n").find((text) => text.startsWith("{")) ?? "";
  const entry = JSON.parse(line);
  deepStrictEqual([entry.method, entry.path, entry.remoteAddress], ["POST", "/mcp", "127.0.0.1"]);
});

Deno.test("--rate-limit refuses who comes too often with 429 and Retry-After", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--rate-limit", "2"]);
  const answers = [];
  for (let attempt = 0; attempt < 3; attempt++) {
    answers.push(await post(server.url, PING));
  }
  deepStrictEqual(answers.map(({ status }) => status === 429), [false, false, true]);
  match(answers[2]?.headers.get("retry-after") ?? "", /^\d+$/);
});

Deno.test("--max-body refuses larger requests with 413, and lets larger ones than usual in", async () => {
  await using home = await Home.make();
  await using small = await startHttp(home, ["--max-body", "1K"]);
  const padded = (bytes: number) => ({ ...PING, params: { pad: "x".repeat(bytes) } });
  const refused = await post(small.url, padded(1024));
  strictEqual(refused.status, 413);
  match(refused.text, /larger than 1024 bytes/);
  await using large = await startHttp(home, ["--max-body", "20M"]);
  const taken = await post(large.url, padded(17 * 1024 * 1024));
  strictEqual(taken.status, 200);
});
