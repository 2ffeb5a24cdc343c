import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import {
  denoArguments,
  environmentOf,
  flagsFor,
  HAS_PTY,
  putConfig,
  runBowire,
} from "../fakes/bowire_process.ts";
import { type Conversation, startStdio, type ToolResult } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

const FALLBACK = /\[warning\] bowire·sandbox: plugins run in the main thread, without the second/g;

function get(agent: Conversation, url: string): Promise<ToolResult> {
  return agent.call("bowire.invoke", { url, service: "", method: "GET" });
}

/** `host:port` of a URL. */
function pairOf(url: string): string {
  return new URL(url).host;
}

for (const sandbox of ["worker", "none"]) {
  Deno.test(`with --sandbox ${sandbox}, a host that only the allowlist lets through names the flag`, async () => {
    await using home = await Home.make();
    await using first = startRecordingTarget();
    await using second = startRecordingTarget();
    const urls = [first.url, second.url].flatMap((url) => ["--allow-url", url]);
    await using agent = startStdio(home, [...urls, "--sandbox", sandbox], {
      net: [pairOf(first.url)],
    });
    await agent.initialize();
    strictEqual((await get(agent, first.url)).isError, false);
    const refused = (await get(agent, second.url)).structuredContent.error;
    deepStrictEqual(refused, {
      code: "permission_denied",
      message: `Deno does not let this process reach "${second.url}/"`,
      retryable: false,
      hint: `start it with --allow-net=${pairOf(second.url)}`,
      details: { host: "127.0.0.1", port: Number(new URL(second.url).port) },
    });
    // By a redirect, too.
    const redirected = await get(agent, `${first.url}/to?url=${second.url}`);
    strictEqual(redirected.structuredContent.error.code, "permission_denied");
    strictEqual((await get(agent, first.url)).isError, false);
    deepStrictEqual(second.arrived, []);
    doesNotMatch(agent.stderr, FALLBACK);
  });
}

Deno.test("a URL that was permitted is reached by the worker too", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = startStdio(home, ["--no-confirm", "--sandbox", "worker"]);
  await agent.initialize();
  strictEqual((await get(agent, target.url)).structuredContent.error.code, "url_not_allowed");
  await agent.call("bowire.allowlist.permit", { url: target.url });
  strictEqual((await get(agent, target.url)).isError, false);
});

Deno.test("a discovery that Deno does not let out names the flag, for agents and on the command line", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const options = { net: ["127.0.0.1:1"] };
  await using agent = startStdio(home, ["--allow-url", target.url], options);
  await agent.initialize();
  const { error } = (await agent.call("bowire.discover", { url: target.url })).structuredContent;
  deepStrictEqual([error.code, error.hint], [
    "permission_denied",
    `start it with --allow-net=${pairOf(target.url)}`,
  ]);
  const { code, stderr } = await runBowire(home, ["discover", "--url", target.url], options);
  strictEqual(code, 1);
  ok(stderr.includes(`start it with --allow-net=${pairOf(target.url)}`), stderr);
  deepStrictEqual(target.arrived, []);
});

Deno.test("without --ignore-env nobody can tell whether a worker can be had, and one line says so", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const flags = flagsFor(home).filter((flag) => flag !== "--ignore-env");
  const { code, stderr } = await runBowire(home, ["call", "GET", "--url", target.url], { flags });
  deepStrictEqual([code, stderr.match(FALLBACK)?.length], [0, 1]);
  match(stderr, /start Deno with --ignore-env\n$/);
});

Deno.test({
  name: "nothing is asked on a terminal for want of a worker",
  ignore: !HAS_PTY,
  async fn() {
    await using home = await Home.make();
    await using target = startRecordingTarget();
    const flags = flagsFor(home).filter((flag) => flag !== "--no-prompt");
    const call = denoArguments(home, ["call", "GET", "--url", target.url], { flags });
    const words = [Deno.execPath(), ...call].map((word) => `'${word}'`).join(" ");
    const { code, stdout } = await new Deno.Command("script", {
      args: ["-qec", words, "/dev/null"],
      env: environmentOf(home),
      clearEnv: true,
      stdin: "null",
    }).output();
    const shown = new TextDecoder().decode(stdout);
    deepStrictEqual([code, /requests .* access/.test(shown)], [0, false], shown);
    strictEqual(target.arrived.length, 1);
  },
});

/** Flags as documented, with a configuration that does not set the flag of the worker. */
async function flagsWithout(home: Home): Promise<string[]> {
  const config = await putConfig(home, { unstable: ["no-legacy-abort"] });
  return [`--config=${config}`, ...flagsFor(home)];
}

Deno.test("without --unstable-worker-options one line says so, and calls are made all the same", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const options = { flags: await flagsWithout(home) };
  const call = ["call", "GET", "--url", target.url];
  const { code, stdout, stderr } = await runBowire(home, call, options);
  deepStrictEqual([code, JSON.parse(stdout)], [0, { path: "/" }]);
  strictEqual(stderr.match(FALLBACK)?.length, 1);
  match(stderr, /start Deno with --unstable-worker-options\n$/);
  strictEqual(stderr.trim().split("\n").length, 1);
  const quiet = await runBowire(home, [...call, "--sandbox", "none"], options);
  deepStrictEqual([quiet.code, quiet.stderr], [0, ""]);
  const insisting = await runBowire(home, [...call, "--sandbox", "worker"], options);
  strictEqual(insisting.code, 2);
  match(insisting.stderr, /cannot run plugins in a worker: .*--unstable-worker-options/);
  const server = await runBowire(home, ["mcp", "serve", "--sandbox", "worker"], options);
  strictEqual(server.code, 1);
  match(server.stderr, /cannot run plugins in a worker/);
});

Deno.test("where Deno may not read the worker's modules one line says so", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const flags = flagsFor(home).map((flag) =>
    flag.startsWith("--allow-read") ? `--allow-read=${home.path}` : flag
  );
  const call = ["call", "GET", "--url", target.url];
  const { code, stderr } = await runBowire(home, call, { flags });
  strictEqual(code, 0);
  strictEqual(stderr.match(FALLBACK)?.length, 1);
  match(stderr, /start Deno with --allow-read=[^\n]*plugins\n$/);
});

Deno.test("--allow-arbitrary-urls lets the worker reach all that the process may", async () => {
  await using home = await Home.make();
  await using first = startRecordingTarget();
  await using second = startRecordingTarget();
  const args = ["--allow-arbitrary-urls", "--sandbox", "worker"];
  await using agent = startStdio(home, args, { net: [pairOf(first.url)] });
  await agent.initialize();
  strictEqual((await get(agent, first.url)).isError, false);
  const refused = (await get(agent, second.url)).structuredContent.error;
  strictEqual(refused.code, "permission_denied");
});

/** Runs the text of an app that has Bowire in it, which prints its findings. */
async function runApp(home: Home, text: string, flags: readonly string[]): Promise<string> {
  const app = await home.put(
    "app.ts",
    `import { createBowire } from "${new URL("../../mod.ts", import.meta.url).href}";\n${text}`,
  );
  const options = { main: app, flags: ["--no-check", ...flags] };
  const { code, stdout, stderr } = await runBowire(home, [], options);
  strictEqual(code, 0, stderr);
  return stdout + stderr;
}

Deno.test("an app that has set up no log is warned of the missing fence", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const said = await runApp(
    home,
    `
      await using bowire = await createBowire({ allowedServerUrls: ["${target.url}"] });
      const call = { url: "${target.url}", service: "", method: "GET", messages: [] };
      for (const _ of [1, 2]) console.log((await bowire.invoke(call)).invocation.status);
    `,
    await flagsWithout(home),
  );
  match(
    said,
    /^200\n200\n.*BowireWarning: plugins run in the main thread, .*--unstable-worker-options\n/,
  );
  strictEqual(said.match(/BowireWarning/g)?.length, 1);
});

Deno.test("an app that may not read the environment is told to name a home folder", async () => {
  await using home = await Home.make();
  const said = await runApp(
    home,
    "await createBowire().catch(({ code, hint }) => console.log(code, hint));",
    ["--cached-only", `--config=${await putConfig(home, {})}`, "--no-prompt"],
  );
  match(said, /^usage set BOWIRE_DATA_DIR/);
});
