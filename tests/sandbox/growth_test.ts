import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import type { FrameStream } from "../../lib/model/mod.ts";
import { serveLocal } from "../fakes/rooms.ts";
import { type Fixture, NOWHERE, openFixture } from "./fixture.ts";

function count({ caller }: Fixture): FrameStream {
  const request = { url: NOWHERE, service: "", method: "count", protocol: "obliging" };
  return caller.subscribe(
    { ...request, messages: [], timeoutMs: 120_000 },
    new AbortController().signal,
  );
}

/** The text of the next frame. */
async function nextOf(stream: FrameStream): Promise<string | null | undefined> {
  const { done, value } = await stream.next();
  return done === true ? undefined : value.data;
}

/** Threads of this process that run workers. */
function workerThreads(): number {
  return [...Deno.readDirSync("/proc/self/task")].filter(({ name }) => {
    try {
      return Deno.readTextFileSync(`/proc/self/task/${name}/comm`).startsWith("worker-");
    } catch {
      return false; // it has just ended
    }
  }).length;
}

Deno.test("Sandbox lets a call reach what was permitted a moment ago", async () => {
  await using server = serveLocal(() => new Response("there"));
  await using fixture = openFixture();
  await rejects(fixture.ask("fetch", server.url), { code: "url_not_allowed" });
  fixture.allowlist.permit(server.url, "permit");
  strictEqual(await fixture.ask("fetch", server.url), "there");
  strictEqual(fixture.sandbox.workers, 1);
});

Deno.test("Sandbox keeps its worker when a new entry has a host and port that it may reach", async () => {
  await using server = serveLocal(() => new Response("there"));
  await using fixture = openFixture([NOWHERE, `${server.url}/a`]);
  await using stream = count(fixture);
  await stream.next();
  await rejects(fixture.ask("fetch", `${server.url}/b`), { code: "url_not_allowed" });
  fixture.allowlist.permit(`${server.url}/b`, "permit");
  strictEqual(await fixture.ask("fetch", `${server.url}/b`), "there");
  strictEqual(fixture.sandbox.workers, 1);
});

Deno.test("Sandbox leaves a subscription in its worker until it ends", async () => {
  await using fixture = openFixture();
  const stream = count(fixture);
  await stream.next();
  fixture.allowlist.permit("http://127.0.0.1:10", "permit");
  await fixture.ask("echo");
  strictEqual(fixture.sandbox.workers, 2);
  // The new worker has no stream; the old one goes on with its own.
  deepStrictEqual(JSON.parse(await fixture.ask("streams") ?? ""), { frames: 0, open: 0 });
  strictEqual(await nextOf(stream), "1");
  await stream.return();
  // The old worker hears of it while the new one is asked.
  for (let calls = 0; calls < 1000 && fixture.sandbox.workers > 1; calls++) {
    await fixture.ask("echo");
  }
  strictEqual(fixture.sandbox.workers, 1);
});

Deno.test({
  name: "Sandbox loses no call and leaks no worker over 1,000 permits",
  ignore: Deno.build.os !== "linux", // it counts threads in /proc
  fn: loseNothing,
});

async function loseNothing(): Promise<void> {
  await using server = serveLocal((request) => new Response(new URL(request.url).pathname));
  await using fixture = openFixture([NOWHERE, server.url]);
  const { allowlist, sandbox } = fixture;
  await fixture.ask("echo");
  const streams = Array.from({ length: 5 }, () => count(fixture));
  for (const stream of streams) await stream.next();
  let isPermitting = true;
  let answered = 0;
  const callers = Array.from({ length: 50 }, async (_, index) => {
    for (let call = 0; isPermitting; call++) {
      const path = `/${index}/${call}`;
      strictEqual(await fixture.ask("fetch", server.url + path, { timeoutMs: 60_000 }), path);
      answered++;
    }
  });
  let rssHalfWay = 0;
  for (let number = 1; number <= 1000; number++) {
    allowlist.permit(`http://10.0.${number >> 8}.${number & 255}:80`, "permit");
    if (number % 20 > 0) continue;
    await fixture.ask("echo", "", { timeoutMs: 60_000 });
    for (const stream of streams) await stream.next();
    if (number === 500) rssHalfWay = Deno.memoryUsage().rss;
  }
  isPermitting = false;
  await Promise.all(callers);
  ok(answered > 50, `only ${answered} calls ran meanwhile`);
  for (const stream of streams) {
    // None of its frames was lost, and none came twice.
    strictEqual(await nextOf(stream), "51");
    await stream.return();
  }
  // A thread needs a moment to end.
  for (let calls = 0; calls < 10_000 && workerThreads() > 1; calls++) await fixture.ask("echo");
  strictEqual(sandbox.workers, 1);
  strictEqual(workerThreads(), 1);
  const rise = Deno.memoryUsage().rss - rssHalfWay;
  ok(rise < 64 * 1024 ** 2, `${rise} bytes more after the second 500 than after the first`);
}
