import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { moduleUrl, rejectionOf, runModule, serveLocal } from "../fakes/rooms.ts";
import { within } from "../fakes/deadline.ts";
import { NOWHERE, openFixture } from "./fixture.ts";

Deno.test("C91 a plugin in the sandbox is refused a redirect, the hop named", async () => {
  await using other = serveLocal(() => new Response("never"));
  await using server = serveLocal((request) => {
    const location = new URL(request.url).searchParams.get("to") ?? "/";
    return new Response(null, { status: 302, headers: { location } });
  });
  await using fixture = openFixture([server.url]);
  const fetch = (to: string) => {
    const url = `${server.url}/?to=${encodeURIComponent(to)}`;
    return rejectionOf(fixture.ask("fetch", url, { url: server.url }));
  };
  for (const to of [other.url, `http://localhost:${server.port}`]) {
    const refusal = await fetch(to);
    strictEqual(refusal.code, "url_not_allowed");
    match(refusal.message, /redirect 1 from http:\/\/127\.0\.0\.1/);
  }
  strictEqual((await fetch("?to=/")).code, "too_many_redirects");
});

Deno.test("C92 a plugin in the sandbox reaches what lies below an entry and nothing beside it", async () => {
  await using server = serveLocal((request) => new Response(new URL(request.url).pathname));
  const { port, url } = server;
  await using fixture = openFixture([`${url}/v1`]);
  const fetch = (to: string) => fixture.ask("fetch", to, { url: `${url}/v1` });
  for (const path of ["/v1", "/v1/", "/v1/pets?q=1", "/v0/../v1/pets"]) {
    match(await fetch(url + path) ?? "", /^\/v1/);
  }
  const beside = ["/", "/v10", "/v1/../admin", "/v1/%2e%2e/admin", "/V1"].map((path) => url + path);
  const elsewhere = [
    `http://127.0.0.1.evil.test:${port}/v1`,
    `http://127.0.0.1:${port}@evil.test/v1`,
    `http://evil.test/?http://127.0.0.1:${port}/v1`,
  ];
  for (const to of [...beside, ...elsewhere]) {
    const { code } = await rejectionOf(fetch(to));
    ok(["url_not_allowed", "invalid_url"].includes(code), `${to}: ${code}`);
  }
});

Deno.test("C93 a plugin in the sandbox reaches an allowed address by any spelling", async () => {
  await using server = serveLocal(() => new Response("there"));
  const { port, url } = server;
  await using fixture = openFixture([url]);
  for (const host of ["2130706433", "0x7f.1", "127.1", "[::ffff:7f00:1]", "127.0.0.1."]) {
    strictEqual(await fixture.ask("fetch", `http://${host}:${port}`, { url }), "there", host);
  }
  for (const host of ["2130706434", "127.2", "[::1]", "localhost"]) {
    await rejects(fixture.ask("fetch", `http://${host}:${port}`, { url }), {
      code: "url_not_allowed",
    });
  }
});

/** Runs text with a fixture in another process; it gives its findings as JSON. */
async function inProcess(url: string, text: string): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await runModule(
    `
      import { openFixture } from "${moduleUrl("tests/sandbox/fixture.ts")}";
      await using fixture = openFixture(["${url}"]);
      const ask = (method, message = "") => fixture.ask(method, message, { url: "${url}" });
      ${text}
    `,
    ["--no-check", "--allow-all"],
  );
  ok(stdout.startsWith("{"), stderr);
  return JSON.parse(stdout);
}

Deno.test("C50 a plugin in the sandbox cannot print to standard output", async () => {
  const found = await inProcess(
    NOWHERE,
    `
      const errors = [];
      for (const way of ["console", "named", "process", "Deno", "node:fs"]) {
        await ask("print", way).catch((error) => errors.push(way));
      }
      console.log(JSON.stringify({ errors }));
    `,
  );
  // What cannot be led to standard error is refused.
  deepStrictEqual(found, { errors: ["named", "node:fs"] });
});

Deno.test("C102 a plugin in the sandbox survives a decompression bomb, and stays small", async () => {
  const zeros = ReadableStream.from(Array.from({ length: 200 }, () => new Uint8Array(1024 * 1024)));
  const bomb = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).bytes();
  await using server = serveLocal(() =>
    new Response(bomb, { headers: { "content-encoding": "gzip", "content-type": "text/plain" } })
  );
  const { code, growth } = await inProcess(
    server.url,
    `
      await ask("echo");
      const before = Deno.memoryUsage().rss;
      let peak = before;
      const timer = setInterval(() => peak = Math.max(peak, Deno.memoryUsage().rss), 1);
      const { code } = await ask("fetch", "${server.url}").catch((error) => error);
      clearInterval(timer);
      console.log(JSON.stringify({ code, growth: Math.max(peak, Deno.memoryUsage().rss) - before }));
    `,
  );
  strictEqual(code, "too_large");
  ok(Number(growth) < 64 * 1024 * 1024, `memory grew by ${growth} bytes`);
});

Deno.test("an endless stream does not fill the memory, however much of it is read", async () => {
  const { frames, growth } = await inProcess(
    NOWHERE,
    `
      const request = { url: "${NOWHERE}", service: "", method: "large", messages: [] };
      const stream = fixture.caller.subscribe(
        { ...request, protocol: "obliging" },
        new AbortController().signal,
      );
      await stream.next();
      const before = Deno.memoryUsage().rss;
      let frames = 1;
      for await (const { data } of stream) {
        if (data.length !== 1024 * 1024) throw new Error("a frame was cut");
        if (++frames === 500) break;
      }
      console.log(JSON.stringify({ frames, growth: Deno.memoryUsage().rss - before }));
    `,
  );
  strictEqual(frames, 500);
  ok(Number(growth) < 200 * 1024 * 1024, `memory grew by ${growth} bytes`);
});

Deno.test("a process ends when its Bowire is closed, not when the time of its calls is over", async () => {
  const running = inProcess(
    NOWHERE,
    `
      const [, stream] = [await ask("echo"), fixture.caller.subscribe(
        { url: "${NOWHERE}", service: "", method: "count", messages: [], protocol: "obliging" },
        new AbortController().signal,
      )];
      await stream.next();
      await stream.return();
      console.log("{}");
    `,
  );
  // The time of each call is 30 s.
  deepStrictEqual(await within(running, "the process to end"), {});
});
