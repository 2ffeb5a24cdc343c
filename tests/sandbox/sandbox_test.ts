import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { Caller, type CallEvent } from "../../lib/call/mod.ts";
import type { Frame } from "../../lib/model/mod.ts";
import { Registry } from "../../lib/protocol/mod.ts";
import { AllowedFiles } from "../../lib/store/mod.ts";
import { makeFolder, rejectionOf, serveLocal } from "../fakes/rooms.ts";
import { NOWHERE, openFixture } from "./fixture.ts";
import { plugins } from "./plugins.ts";

function idle(): AbortSignal {
  return new AbortController().signal;
}

const SUBSCRIPTION = { url: NOWHERE, service: "", protocol: "obliging", messages: ["3"] };

async function collect(frames: AsyncIterable<Frame>, count = Infinity): Promise<string[]> {
  const data: string[] = [];
  for await (const frame of frames) {
    data.push(frame.data ?? "");
    if (data.length === count) break;
  }
  return data;
}

Deno.test("Sandbox carries a call in and its answer out, unchanged", async () => {
  await using fixture = openFixture();
  const message = '{"big":9007199254740993,"text":"\\u0000 ü 😀","list":[1.10]}';
  strictEqual(await fixture.ask("echo", message), message);
});

Deno.test("Sandbox starts one worker, at the first call", async () => {
  await using fixture = openFixture();
  strictEqual(fixture.sandbox.workers, 0);
  await Promise.all(Array.from({ length: 20 }, () => fixture.ask("echo")));
  strictEqual(fixture.sandbox.workers, 1);
});

Deno.test("Sandbox carries the environment's metadata, bound to its origin", async () => {
  await using fixture = openFixture();
  const ambient = { origin: "http://127.0.0.1:9", metadata: { authorization: "Bearer x" } };
  const caller = new Caller(fixture.allowlist, new Registry(plugins), {
    dialer: () => fixture.sandbox,
    ambient: () => Promise.resolve(ambient),
  });
  const ask = async (url: string) => {
    const request = { ...SUBSCRIPTION, method: "metadata", messages: [url] };
    return (await caller.invoke(request, idle())).invocation.response;
  };
  strictEqual(await ask("http://127.0.0.1:9/x"), '{"authorization":"Bearer x"}');
  strictEqual(await ask("http://127.0.0.1:10/x"), "{}");
});

Deno.test("Sandbox reads files for plugins, from the folders that are allowed", async () => {
  await using folder = await makeFolder();
  await Deno.writeTextFile(`${folder.path}/a.txt`, "content");
  await using fixture = openFixture([NOWHERE], { files: new AllowedFiles([folder.path]) });
  strictEqual(await fixture.ask("readFile", "a.txt"), "a.txt: content");
  await rejects(fixture.ask("readFile", "../b.txt"), { code: "file_failed" });
});

Deno.test("Sandbox resolves the names of targets for plugins, and no others", async () => {
  await using server = serveLocal(() => new Response("there"));
  const asked: string[] = [];
  const lookup = (host: string) => {
    asked.push(host);
    return Promise.resolve(["169.254.169.254"]);
  };
  const url = "http://inside.test:80";
  await using fixture = openFixture([NOWHERE, server.url, url], { lookup });
  await rejects(fixture.ask("fetch", url), { code: "url_not_allowed", message: /169\.254/ });
  strictEqual(await fixture.ask("fetch", server.url), "there");
  deepStrictEqual(asked, ["inside.test"]);
});

Deno.test("Sandbox carries an error with all its parts, and a defect without its text", async () => {
  await using fixture = openFixture();
  const refusal = await rejectionOf(fixture.ask("fetch", "http://127.0.0.1:10/?token=hunter2"));
  strictEqual(refusal.code, "url_not_allowed");
  match(refusal.hint ?? "", /--allow-url/);
  deepStrictEqual(refusal.details?.via, "a test");
  ok(!JSON.stringify(refusal.details).includes("hunter2"));
  await rejects(fixture.ask("defect", "CANARY"), (error: Error) => {
    strictEqual(error.message, "a plugin broke");
    return true;
  });
  await rejects(fixture.ask("function"), { message: "a plugin broke" });
});

Deno.test("Sandbox carries progress", async () => {
  await using fixture = openFixture();
  const events: CallEvent[] = [];
  fixture.caller.observe((event) => events.push(event));
  await fixture.ask("progress", "half way");
  deepStrictEqual(
    events.map((event) => event.kind === "progress" ? event.progress.done : event.kind),
    ["resolved", 1, 2, 3, "done"],
  );
});

Deno.test("Sandbox carries cancellation, also to a plugin that does not listen", async () => {
  await using fixture = openFixture();
  for (const method of ["obedient", "deaf"]) {
    const controller = new AbortController();
    const request = { url: NOWHERE, service: "", method, messages: [""], protocol: "obliging" };
    const calling = rejectionOf(fixture.caller.invoke(request, controller.signal));
    await fixture.ask("echo");
    controller.abort();
    strictEqual((await calling).code, "cancelled");
  }
});

Deno.test("Sandbox carries the time limit", async () => {
  await using fixture = openFixture();
  for (const method of ["obedient", "deaf"]) {
    const refusal = await rejectionOf(fixture.ask(method, "", { timeoutMs: 60 }));
    deepStrictEqual([refusal.code, refusal.retryable], ["timeout", true]);
    match(refusal.message, /within 60 ms$/);
  }
});

Deno.test("Sandbox carries frames, and how a stream ends", async () => {
  await using fixture = openFixture();
  const { caller } = fixture;
  const of = (method: string) => caller.subscribe({ ...SUBSCRIPTION, method }, idle());
  deepStrictEqual(await collect(of("some")), ["0", "1", "2"]);
  const seen: string[] = [];
  const failing = (async () => {
    for await (const { data } of of("failing")) seen.push(String(data));
  })();
  await rejects(failing, { code: "unreachable" });
  deepStrictEqual(seen, ["0", "1", "2"]);
  const plain = caller.subscribe({ ...SUBSCRIPTION, method: "x", protocol: "plain" }, idle());
  await rejects(collect(plain), { code: "unknown_method", message: /has no streams$/ });
});

Deno.test("Sandbox makes a frame when it is wanted, and not before", async () => {
  await using fixture = openFixture();
  const stream = fixture.caller.subscribe({ ...SUBSCRIPTION, method: "count" }, idle());
  for (const expected of ["0", "1", "2"]) {
    const { done, value } = await stream.next();
    strictEqual(done === true ? done : value.data, expected);
    await fixture.ask("echo");
    await fixture.ask("echo");
  }
  deepStrictEqual(JSON.parse(await fixture.ask("streams") ?? ""), { frames: 3, open: 1 });
  await stream.return();
  await fixture.ask("echo");
  deepStrictEqual(JSON.parse(await fixture.ask("streams") ?? ""), { frames: 3, open: 0 });
});

Deno.test("Sandbox ends a stream at the plugin when the caller gives up or the time is over", async () => {
  await using fixture = openFixture();
  const { caller } = fixture;
  const controller = new AbortController();
  const given = caller.subscribe({ ...SUBSCRIPTION, method: "count" }, controller.signal);
  await given.next();
  controller.abort();
  await rejects(given.next(), { code: "cancelled" });
  const silent = { ...SUBSCRIPTION, method: "silent", timeoutMs: 80 };
  const seen: string[] = [];
  const timed = (async () => {
    for await (const { data } of caller.subscribe(silent, idle())) seen.push(String(data));
  })();
  await rejects(timed, { code: "timeout" });
  deepStrictEqual(seen, ["0", "1", "2"]);
  strictEqual(JSON.parse(await fixture.ask("streams") ?? "").open, 0);
});

Deno.test("Sandbox fails what runs when it is closed, and takes nothing more", async () => {
  const fixture = openFixture();
  const calling = rejectionOf(fixture.ask("deaf"));
  await fixture.ask("echo");
  await fixture[Symbol.asyncDispose]();
  strictEqual((await calling).code, "cancelled");
  await rejects(fixture.ask("echo"), { code: "cancelled" });
  strictEqual(fixture.sandbox.workers, 0);
});

Deno.test("Sandbox gives the same discovery again without carrying it again, until it changes", async () => {
  await using fixture = openFixture();
  const discover = async (url: string) => {
    const options = { signal: idle(), protocol: "obliging" };
    return (await fixture.caller.discover(url, options)).services.map(({ name }) => name);
  };
  const first = await discover(NOWHERE);
  deepStrictEqual(await discover(NOWHERE), first);
  deepStrictEqual(await discover(`${NOWHERE}/changed`), ["changed"]);
  await discover(`${NOWHERE}/function`).then((services) => deepStrictEqual(services, []));
  deepStrictEqual(await discover(NOWHERE), first);
});

Deno.test("Sandbox sends nothing for a call that was given up while the worker started", async () => {
  const paths: string[] = [];
  await using server = serveLocal((request) => {
    paths.push(new URL(request.url).pathname);
    return new Response("there");
  });
  await using fixture = openFixture([NOWHERE, server.url]);
  let hasStarted = false;
  const first = fixture.ask("echo").then(() => hasStarted = true);
  const controller = new AbortController();
  const request = { ...SUBSCRIPTION, method: "fetch", messages: [`${server.url}/given-up`] };
  const calling = rejectionOf(fixture.caller.invoke(request, controller.signal));
  await new Promise((resolve) => setTimeout(resolve)); // both calls have come to the worker
  deepStrictEqual([fixture.sandbox.workers, hasStarted], [1, false]);
  controller.abort();
  strictEqual((await calling).code, "cancelled");
  await first;
  strictEqual(await fixture.ask("fetch", `${server.url}/after`), "there");
  deepStrictEqual(paths, ["/after"]);
});

Deno.test("Sandbox counts the time of a call by a clock that both threads have", async () => {
  // As after a jump of the wall clock: a later thread starts from another zero.
  Object.defineProperty(performance, "timeOrigin", { value: 0, configurable: true });
  try {
    await using fixture = openFixture();
    strictEqual(await fixture.ask("echo", "in time"), "in time");
  } finally {
    Reflect.deleteProperty(performance, "timeOrigin");
  }
});
