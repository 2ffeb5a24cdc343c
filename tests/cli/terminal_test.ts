import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { safe, Terminal } from "../../lib/cli/terminal.ts";
import { startRestTarget } from "../../samples/rest_target/server.ts";
import {
  denoArguments,
  environmentOf,
  HAS_PTY,
  runBowire,
  runOnTerminal,
  startBowire,
} from "../fakes/bowire_process.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

function ptyTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_PTY, fn });
}

ptyTest("bowire call spells out control characters of a target on a terminal", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const json = await runOnTerminal(home, ["call", "GET", "--url", `${target.url}/esc`]);
  ok(json.includes("\\u001b[31mred\\u0007\\u009b\\u202e"), json);
  const text = await runOnTerminal(home, ["call", "GET", "--url", `${target.url}/esc-text`]);
  ok(text.includes("\\u001b]0;title\\u0007\\u001b[2Jgone"), text);
  // deno-lint-ignore no-control-regex -- these are what must not come through
  ok(!/[\u001b\u0007\u009b\u202e]/.test(json + text));
});

ptyTest("bowire colours its own words on a terminal, unless NO_COLOR is set", async () => {
  await using home = await Home.make();
  await using target = startRestTarget();
  const args = ["list", "Nope", "--url", target.url];
  ok((await runOnTerminal(home, args)).includes("\u001b[31merror:\u001b[39m"));
  ok(!(await runOnTerminal(home, args, { env: { NO_COLOR: "1" } })).includes("\u001b"));
});

Deno.test("bowire call gives a pipe the bytes of the target as they are, without colours", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const { stdout } = await runBowire(home, ["call", "GET", "--url", `${target.url}/esc-text`]);
  strictEqual(stdout.trimEnd(), "\u001b]0;title\u0007\u001b[2Jgone");
  const { stderr } = await runBowire(home, ["env", "get", "none"]);
  ok(!stderr.includes("\u001b"));
});

for (const args of [["discover", "--json"], ["call", "GET"]]) {
  Deno.test(`bowire ${args.join(" ")} is content when the reader has gone away`, async () => {
    await using home = await Home.make();
    await using target = startRestTarget();
    await using running = startBowire(home, [...args, "--url", `${target.url}/openapi.json`], {});
    await running.child.stdout.cancel();
    await running.child.stdin.close();
    const { code } = await within(running.ended, "the end", running.stderr);
    deepStrictEqual([code, running.stderr()], [0, ""]);
  });
}

Deno.test("Terminal.flush tells of a full disk, and of no reader that has gone away", async () => {
  const failing = (error: Error) => {
    const write = () => Promise.reject(error);
    const terminal = new Terminal(new WritableStream({ write }), false);
    terminal.print("text");
    return terminal.flush();
  };
  await failing(new Deno.errors.BrokenPipe("gone"));
  await rejects(failing(new Error("No space left on device")), {
    code: "file_failed",
    message: "cannot write to standard output: No space left on device",
  });
});

/** Runs the program with its streams redirected by a shell. */
async function runRedirected(redirections: string, args: readonly string[]) {
  await using home = await Home.make();
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [
      "-c",
      `exec "$0" "$@" ${redirections}`,
      Deno.execPath(),
      ...denoArguments(home, args),
    ],
    env: environmentOf(home),
    clearEnv: true,
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test({
  name: "bowire ends with 1 when its answer cannot be written",
  ignore: Deno.build.os !== "linux", // it writes to /dev/full
  async fn() {
    const { code, stderr } = await runRedirected("> /dev/full", ["version"]);
    strictEqual(code, 1);
    match(stderr, /cannot write to standard output: No space left/);
  },
});

Deno.test({
  name: "bowire does its work though standard error cannot be written",
  ignore: Deno.build.os !== "linux", // it writes to /dev/full
  async fn() {
    // It has notices to give.
    const { code, stdout } = await runRedirected("2> /dev/full < /dev/null", ["mcp", "serve"]);
    deepStrictEqual([code, stdout], [0, ""]);
  },
});

Deno.test("safe keeps text, line feeds and tabs, and spells out what moves or hides", () => {
  strictEqual(safe("Ærø 🚢\n\tok"), "Ærø 🚢\n\tok");
  strictEqual(safe("\u001b[2J\r\u0000"), "\\u001b[2J\\u000d\\u0000");
  strictEqual(
    safe("a\u200bb\u202ec\u2066d\u007f\u0085"),
    "a\\u200bb\\u202ec\\u2066d\\u007f\\u0085",
  );
});

Deno.test("an error message cannot carry control characters to the terminal", async () => {
  await using home = await Home.make();
  const { stderr } = await runBowire(home, [
    "call",
    "GET",
    "--url",
    "http://127.0.0.1:8999/\u001b[2J",
  ]);
  match(stderr, /error:/);
  ok(!stderr.includes("\u001b"));
});
