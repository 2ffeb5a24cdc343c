import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { connect } from "node:net";
import { LOOPBACK_NAMES, OriginGuard } from "../../lib/gate/mod.ts";
import { serveLocal } from "../fakes/rooms.ts";

function requestWith(headers: Record<string, string>, url = "http://127.0.0.1:9/"): Request {
  return new Request(url, { headers });
}

const loopback = new OriginGuard(LOOPBACK_NAMES);

const KNOWN: readonly Record<string, string>[] = [
  { host: "127.0.0.1" },
  { host: "127.0.0.1:5080" },
  { host: "LOCALHOST:5080" },
  { host: "[::1]:5080" },
  { host: "localhost", origin: "http://localhost:6274" },
  { host: "localhost", origin: "https://127.0.0.1" },
  { host: "localhost", origin: "http://[::1]:1" },
];

for (const headers of KNOWN) {
  Deno.test(`OriginGuard.refusal lets ${JSON.stringify(headers)} in`, () => {
    strictEqual(loopback.refusal(requestWith(headers)), undefined);
  });
}

const FOREIGN: readonly Record<string, string>[] = [
  { host: "evil.example" },
  { host: "127.0.0.1.evil" },
  { host: "127.0.0.1.evil:5080" },
  { host: "localhost.evil.example" },
  { host: "evil.example:80/localhost" },
  { host: "127.0.0.1@evil.example" },
  { host: "user@127.0.0.1" },
  { host: "192.168.0.7" },
  { host: "127.0.0.2" },
  { host: "" },
  { host: ":5080" },
  { host: "localhost", origin: "http://evil" },
  { host: "localhost", origin: "https://localhost.evil" },
  { host: "localhost", origin: "http://evil@localhost" },
  { host: "localhost", origin: "null" },
  { host: "localhost", origin: "" },
  { host: "localhost", origin: "file://" },
  { host: "localhost", origin: "localhost" },
  { host: "evil.example", origin: "http://localhost" },
];

for (const headers of FOREIGN) {
  Deno.test(`C94 OriginGuard.refusal answers 403 to ${JSON.stringify(headers)}`, async () => {
    const refusal = loopback.refusal(requestWith(headers));
    strictEqual(refusal?.status, 403);
    const { jsonrpc, id, error } = await refusal.json();
    deepStrictEqual([jsonrpc, id, error.code], ["2.0", null, -32000]);
    match(
      error.message,
      headers.origin === undefined || headers.host === "evil.example"
        ? /the Host header/
        : /the Origin header/,
    );
  });
}

Deno.test("OriginGuard.refusal goes by the request's URL when there is no Host header", async () => {
  strictEqual(loopback.refusal(requestWith({}, "http://127.0.0.1:9/")), undefined);
  const refusal = loopback.refusal(requestWith({}, "http://evil.example/"));
  strictEqual(refusal?.status, 403);
  await refusal.body?.cancel();
});

Deno.test("OriginGuard takes other names when it is told them", () => {
  const guard = new OriginGuard(["Bowire.Internal"]);
  strictEqual(guard.refusal(requestWith({ host: "bowire.internal:80" })), undefined);
  strictEqual(guard.refusal(requestWith({ host: "localhost" }))?.status, 403);
});

Deno.test("OriginGuard.refusal shows a header cut and without control characters", async () => {
  const refusal = loopback.refusal(requestWith({ host: `é${"x".repeat(500)}.evil` }));
  const { error } = await refusal?.json();
  ok(error.message.length < 250);
  match(error.message, /^[\x20-\x7e]*$/);
});

/** The status line of a request with exactly this Host header. */
async function statusOf(port: number, host: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect(port, "127.0.0.1", () => {
    socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
  let text = "";
  socket.on("data", (chunk) => text += chunk);
  socket.on("end", () => resolve(text.split("\r\n")[0] ?? ""));
  socket.on("error", reject);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

Deno.test("C94 OriginGuard.refusal judges the Host header of a real connection", async () => {
  await using server = serveLocal((request) => loopback.refusal(request) ?? new Response("in"));
  match(await statusOf(server.port, "evil.example"), / 403 /);
  match(await statusOf(server.port, "127.0.0.1.evil"), / 403 /);
  match(await statusOf(server.port, `localhost:${server.port}`), / 200 /);
});
