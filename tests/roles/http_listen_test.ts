import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { type Finished, runBowire, startHttp } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { INITIALIZE, post } from "../fakes/mcp_requests.ts";
import { startRecordingTarget } from "../fakes/target.ts";
import { within } from "../fakes/deadline.ts";

function serve(home: Home, args: readonly string[], env = {}): Promise<Finished> {
  return runBowire(home, ["mcp", "serve", "--bind", "http", ...args], { env });
}

/** A self-signed certificate for localhost. */
async function makeCertificate(home: Home): Promise<{ cert: string; key: string }> {
  const [cert, key] = [home.file("cert.pem"), home.file("key.pem")];
  const { success, stderr } = await new Deno.Command("openssl", {
    args: [
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
      ["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=localhost"],
      ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"],
      ["-addext", "basicConstraints=critical,CA:FALSE"],
    ].flat(),
  }).output();
  ok(success, new TextDecoder().decode(stderr));
  return { cert, key };
}

for (
  const [what, args, lacks] of [
    ["without token and TLS", [], "a token (--token-file) and TLS (--cert, --key)"],
    ["without TLS", ["--token", "canary"], "TLS (--cert, --key)"],
  ] as const
) {
  Deno.test(`mcp serve refuses to listen at 0.0.0.0 ${what}, with the way out`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await serve(home, [
      "--host",
      "0.0.0.0",
      "--port",
      "0",
      ...args,
    ]);
    deepStrictEqual([code, stdout], [1, ""]);
    ok(
      stderr.includes(
        `refusing to listen at 0.0.0.0:0: other machines could reach it without ${lacks}`,
      ),
      stderr,
    );
    match(stderr, /--allow-insecure-bind/);
    ok(!stderr.includes("canary"));
  });
}

Deno.test("BOWIRE_URLS is refused beyond this machine like --host", async () => {
  await using home = await Home.make();
  const { code, stderr } = await serve(home, [], { BOWIRE_URLS: "http://0.0.0.0:0" });
  strictEqual(code, 1);
  match(stderr, /refusing to listen at 0\.0\.0\.0:0/);
});

Deno.test("--allow-insecure-bind listens at 0.0.0.0 and warns", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, ["--host", "0.0.0.0", "--allow-insecure-bind"]);
  const port = new URL(server.url).port;
  strictEqual((await post(`http://127.0.0.1:${port}/mcp`, INITIALIZE)).status, 200);
  match(server.stderr(), /WARNING: other machines may reach this server/);
});

Deno.test("mcp serve says that the port is taken", async () => {
  await using home = await Home.make();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  const { code, stdout, stderr } = await serve(home, ["--port", `${port}`]);
  deepStrictEqual([code, stdout], [1, ""]);
  ok(stderr.includes(`cannot listen at 127.0.0.1:${port}: something else does`), stderr);
  match(stderr, /choose another with --port/);
});

Deno.test("mcp serve names the flag when Deno does not let it listen", async () => {
  await using home = await Home.make();
  const args = ["mcp", "serve", "--bind", "http", "--port", "0"];
  const { code, stderr } = await runBowire(home, args, { net: ["127.0.0.1:1"] });
  strictEqual(code, 1);
  match(stderr, /start it with --allow-net=127\.0\.0\.1:0/);
});

Deno.test("BOWIRE_URLS says where to listen, at several places if need be", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home, [], {
    env: { BOWIRE_URLS: "http://localhost:0;http://127.0.0.1:0" },
    hasPort: true,
  });
  const urls = [...server.stdout().matchAll(/listening at (\S+)/g)].map(([, url = ""]) => url);
  strictEqual(new Set(urls).size, 2);
  for (const url of urls) strictEqual((await post(url, INITIALIZE)).status, 200, url);
});

Deno.test("--port outranks BOWIRE_URLS, and a line says so", async () => {
  await using home = await Home.make();
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const env = { BOWIRE_URLS: `http://127.0.0.1:${taken.addr.port}` };
  await using server = await startHttp(home, [], { env });
  strictEqual((await post(server.url, INITIALIZE)).status, 200);
  match(server.stderr(), /--port and --host outrank BOWIRE_URLS, which is not used/);
});

for (
  const [value, reason] of [
    ["ftp://localhost:1", "not an http or https URL"],
    ["localhost", "not an http or https URL"],
    ["https://localhost:0", "there is no certificate"],
  ] as const
) {
  Deno.test(`mcp serve refuses BOWIRE_URLS=${value}`, async () => {
    await using home = await Home.make();
    const { code, stderr } = await serve(home, [], { BOWIRE_URLS: value });
    strictEqual(code, 1);
    ok(stderr.includes(reason), stderr);
  });
}

Deno.test("--cert and --key serve TLS", async () => {
  await using home = await Home.make();
  const { cert, key } = await makeCertificate(home);
  await using server = await startHttp(home, ["--cert", cert, "--key", key]);
  match(server.url, /^https:\/\/localhost:\d+\/mcp$/);
  using client = Deno.createHttpClient({ caCerts: [await Deno.readTextFile(cert)] });
  strictEqual((await post(server.url, INITIALIZE, { client })).status, 200);
  await rejects(post(server.url.replace("https:", "http:"), INITIALIZE));
  strictEqual((await server.stop()).code, 0);
});

Deno.test("--cert without --key, and a certificate that is none, are refused", async () => {
  await using home = await Home.make();
  const { cert, key } = await makeCertificate(home);
  const half = await serve(home, ["--port", "0", "--cert", cert]);
  strictEqual(half.code, 1);
  match(half.stderr, /--cert and --key belong together/);
  const wrong = await serve(home, [
    "--port",
    "0",
    "--cert",
    await home.put("no.pem", "no"),
    "--key",
    key,
  ]);
  strictEqual(wrong.code, 1);
  match(wrong.stderr, /cannot listen at 127\.0\.0\.1:0: No certificates found/);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.test(`mcp serve over HTTP ends with 0 on ${signal}, streams and calls open`, async () => {
    await using home = await Home.make();
    await using target = startRecordingTarget();
    const args = ["--allow-url", target.url, "--drain-seconds", "1"];
    await using server = await startHttp(home, args);
    const id = (await post(server.url, INITIALIZE)).headers.get("mcp-session-id") ?? "";
    const headers = { accept: "text/event-stream", "mcp-session-id": id };
    const stream = await fetch(server.url, { headers });
    const call = {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: {
        name: "bowire.invoke",
        arguments: { url: `${target.url}/hang`, service: "", method: "GET" },
      },
    };
    const called = post(server.url, call).then(() => "answered", () => "cut off");
    await within(target.hanging, "the call to arrive");
    const startedMs = performance.now();
    strictEqual((await server.stop(signal)).code, 0);
    const tookMs = performance.now() - startedMs;
    ok(tookMs < 3000, `it took ${tookMs} ms`);
    await called;
    await stream.body?.cancel().catch(() => {}); // cut off already
  });
}
