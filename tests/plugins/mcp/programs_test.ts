import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { HostOptions } from "../../../lib/host/mod.ts";
import type { ProgramCommand } from "../../../lib/protocol/mod.ts";
import { EVERYTHING } from "../../peers/mcp_peers.ts";
import { HAS_PEERS } from "../../peers/peers.ts";
import { moduleUrl, runModule } from "../../fakes/rooms.ts";
import { testInBothModes } from "../grpc/fixture.ts";
import { type Fixture, type Mode, openFixture } from "./fixture.ts";

const MAIN = fileURLToPath(new URL("./program_main.ts", import.meta.url));

/** What Deno needs to find its modules, as far as it is there. */
const FOR_DENO = Object.fromEntries(
  ["HOME", "DENO_DIR", "XDG_CACHE_HOME"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }),
);

function programOf(kind: string, members: Partial<ProgramCommand> = {}): ProgramCommand {
  const args = ["run", "--quiet", "--cached-only", "--no-check", "--allow-all", MAIN, kind];
  return { command: Deno.execPath(), args, env: FOR_DENO, ...members };
}

/** A host that knows one program, at `stdio://x`. */
function open(program: ProgramCommand, options: HostOptions & { mode?: Mode } = {}) {
  const { mode = "none", ...others } = options;
  return openFixture(mode, "stdio://x", { programs: { x: program }, ...others });
}

/** Calls a tool of the hand-made servers. */
async function ask(fixture: Fixture, name: string, args?: unknown) {
  return (await fixture.tool(name, args)).structuredContent;
}

/** Whether a process is there, as Linux tells. */
async function isRunning(pid: number): Promise<boolean> {
  return await Deno.stat(`/proc/${pid}`).then(() => true, () => false);
}

const onLinux = { ignore: Deno.build.os !== "linux" };

testInBothModes(
  "a program is discovered and called, wherever other protocols run",
  async (mode) => {
    await using fixture = await open(programOf("plain"), { mode });
    const { services, attempts } = await fixture.discover({ protocol: undefined });
    deepStrictEqual(attempts.map(({ pluginId, outcome }) => [pluginId, outcome]), [["mcp", "ok"]]);
    match(attempts[0]?.message ?? "", /program 1\.0, revision 2025-06-18/);
    strictEqual(services[0]?.methods.length, 7);
    const big = '{"id":9007199254740993,"text":"a\\u2028b\\nc"}';
    const { response } = await fixture.invoke("Tools", "echo", big);
    strictEqual(response, '{"structuredContent":{"id":9007199254740993,"text":"a\u2028b\\nc"}}');
  },
  false,
);

testInBothModes("the reference server is a program", async (mode) => {
  await using fixture = await open(EVERYTHING, { mode });
  const { services } = await fixture.discover();
  deepStrictEqual(services.map(({ name, methods }) => [name, methods.length]), [
    ["Tools", 16],
    ["Resources", 7],
    ["Resource Templates", 2],
    ["Prompts", 4],
  ]);
  const { content } = await fixture.tool("echo", { message: "ahoy" });
  deepStrictEqual(content, [{ type: "text", text: "Echo: ahoy" }]);
}, !HAS_PEERS);

Deno.test("a program without a handshake is found after one was refused", async () => {
  await using fixture = await open(programOf("modern"));
  const { metadata } = await fixture.invoke("Tools", "echo", { a: 1 });
  strictEqual(metadata.mcp_protocol_version, "2026-07-28");
});

Deno.test(
  "a program has the environment and the folder that it was given, and no other",
  onLinux,
  async () => {
    const cwd = await Deno.makeTempDir();
    await using _cleanup = { [Symbol.asyncDispose]: () => Deno.remove(cwd) };
    const env = { ...FOR_DENO, TOKEN: "s=1 $HOME" };
    await using fixture = await open(programOf("plain", { env, cwd }));
    const seen = await ask(fixture, "env");
    deepStrictEqual([seen.env, seen.cwd], [env, await Deno.realPath(cwd)]);
  },
);

Deno.test("calls at the same time are told apart by one program", async () => {
  await using fixture = await open(programOf("plain"));
  const numbers = Array.from({ length: 20 }, (_, n) => n);
  const answers = await Promise.all(numbers.map((n) => ask(fixture, "echo", { n })));
  deepStrictEqual(answers.map(({ n }) => n), numbers);
  const pids = await Promise.all([ask(fixture, "env"), ask(fixture, "env")]);
  strictEqual(pids[0].pid, pids[1].pid);
});

Deno.test("a program asks the person behind the call", async () => {
  await using fixture = await open(programOf("plain"));
  const onQuestion = () => Promise.resolve({ action: "accept", content: "{}" } as const);
  const { structuredContent } = await fixture.tool("ask", {}, { onQuestion });
  deepStrictEqual(structuredContent, { action: "accept", content: {} });
});

Deno.test("a program that ends at once is told with its last words", async () => {
  await using fixture = await open(programOf("gone"));
  await rejects(fixture.tool("echo"), {
    code: "unreachable",
    message:
      'no answer from "stdio://x/": the program has ended; it wrote: line 28 | line 29 | line 30',
    hint: /is its command right/,
  });
  const [attempt] = (await fixture.discover()).attempts;
  deepStrictEqual([attempt?.outcome, /line 30/.test(attempt?.message ?? "")], ["error", true]);
});

Deno.test("a program that ends in a call is told, and started anew for the next", async () => {
  const env = { ...FOR_DENO, API_KEY: "CANARY-2" };
  await using fixture = await open(programOf("plain", { env }));
  const first = await ask(fixture, "env");
  await rejects(fixture.tool("die"), (error: Error) => {
    match(error.message, /the program has ended; it wrote: something terrible happened/);
    doesNotMatch(error.message, /CANARY/);
    return true;
  });
  const second = await ask(fixture, "env");
  ok(first.pid !== second.pid);
});

Deno.test("what a program writes besides messages is passed over", async () => {
  await using fixture = await open(programOf("garbage"));
  deepStrictEqual(await ask(fixture, "echo", { a: 1 }), { a: 1 });
});

Deno.test(
  "a line without an end is refused at 16 MiB, and the program ended",
  onLinux,
  async () => {
    await using fixture = await open(programOf("plain"));
    const { pid } = await ask(fixture, "env");
    await rejects(fixture.tool("flood"), {
      code: "too_large",
      message: /more than 16777216 bytes/,
    });
    strictEqual(await isRunning(pid), false);
  },
);

Deno.test("a program that ignores all signs is ended by force", onLinux, async () => {
  const fixture = await open(programOf("stubborn"));
  const { pid } = await ask(fixture, "env");
  ok(await isRunning(pid));
  const startedMs = performance.now();
  await fixture[Symbol.asyncDispose]();
  ok(performance.now() - startedMs < 1900);
  strictEqual(await isRunning(pid), false);
});

Deno.test("a program that ends with its input is not waited for longer", onLinux, async () => {
  const fixture = await open(programOf("plain"));
  const { pid } = await ask(fixture, "env");
  const startedMs = performance.now();
  await fixture[Symbol.asyncDispose]();
  ok(performance.now() - startedMs < 450);
  strictEqual(await isRunning(pid), false);
});

Deno.test("a program that reads nothing holds up neither a call nor its own end", async () => {
  const fixture = await open(programOf("deaf"));
  const startedMs = performance.now();
  const more = { timeoutMs: 300, validate: false };
  await rejects(fixture.tool("echo", {}, more), { code: "timeout", message: /within 300 ms/ });
  await fixture[Symbol.asyncDispose]();
  ok(performance.now() - startedMs < 2500);
});

Deno.test("more than a program reads holds up neither calls nor its end", onLinux, async () => {
  const fixture = await open(programOf("plain"));
  const { pid } = await ask(fixture, "env");
  await ask(fixture, "deafen");
  const startedMs = performance.now();
  for (const text of ["x".repeat(4 * 1024 * 1024), "x"]) {
    await rejects(fixture.tool("echo", { text }, { timeoutMs: 200 }), { code: "timeout" });
  }
  await fixture[Symbol.asyncDispose]();
  ok(performance.now() - startedMs < 2500);
  strictEqual(await isRunning(pid), false);
});

Deno.test("a caller who gives up is told to the program", async () => {
  await using fixture = await open(programOf("plain"));
  await ask(fixture, "echo");
  const giving = new AbortController();
  const waiting = fixture.invoke("Tools", "wait", {}, { signal: giving.signal });
  deepStrictEqual(await ask(fixture, "echo", { a: 1 }), { a: 1 }); // the other has arrived as well
  giving.abort();
  await rejects(waiting, { code: "cancelled" });
  await rejects(fixture.tool("die"), { message: /it wrote: cancelled \{"requestId":\d+,.* \| / });
});

Deno.test("a command that there is not cannot be started", async () => {
  await using fixture = await open({ command: "/nowhere/to/be-found", args: [], env: {} });
  await rejects(fixture.tool("echo"), {
    code: "file_failed",
    message: /^cannot start "x": .*\/nowhere\/to\/be-found/,
    hint: /spelled right, and installed/,
  });
});

Deno.test("words of a command are never put through a shell", async () => {
  const canary = await Deno.makeTempFile();
  await Deno.remove(canary);
  const args = ["run", "--quiet", "--no-check", "--allow-all", MAIN, `; touch ${canary} $(id)`];
  await using fixture = await open({ ...programOf("plain"), args });
  await fixture.tool("echo", { text: `$(touch ${canary})` });
  await rejects(Deno.stat(canary), Deno.errors.NotFound);
});

Deno.test("a program that the operator did not name is never started", async () => {
  const listed = openFixture("none", "stdio://x", { programs: { x: programOf("plain") } });
  await using known = await listed;
  const call = { service: "Tools", method: "echo", messages: ["{}"] };
  const never = new AbortController().signal;
  for (const url of ["stdio://other", "stdio://xx", "stdio://x.y"]) {
    await rejects(known.host.caller.invoke({ url, ...call }, never), { code: "url_not_allowed" });
  }
  await using free = await openFixture("none", "stdio://x", { allowArbitraryUrls: true });
  for (const url of ["stdio://x", "stdio://constructor", "stdio://__proto__", "stdio://deno"]) {
    await rejects(free.host.caller.invoke({ url, ...call }, never), {
      code: "invalid_argument",
      message: /^cannot start ".*": it is no known program/,
    });
  }
});

Deno.test("a program that Deno denies is told with the flag", async () => {
  const { code, stdout, stderr } = await runModule(
    `
    import { Host } from "${moduleUrl("lib/host/mod.ts")}";
    import { plugins } from "${moduleUrl("plugins/mod.ts")}";
    const programs = { x: { command: "/usr/bin/true", args: [], env: {} } };
    const host = await Host.open({ programs, sandbox: "none" }, { home: "/nowhere", plugins });
    const call = { url: "stdio://x", service: "Tools", method: "echo", messages: ["{}"] };
    const thrown = await host.caller.invoke(call, new AbortController().signal).catch((e) => e);
    console.log(JSON.stringify([thrown.code, thrown.message, thrown.hint]));
    await host[Symbol.asyncDispose]();
    `,
    ["--allow-read", "--allow-env"],
  );
  deepStrictEqual([code, JSON.parse(stdout)], [0, [
    "permission_denied",
    'Deno does not let this process run "/usr/bin/true"',
    "start it with --allow-run=/usr/bin/true",
  ]], stderr);
});
