import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { flagsFor, runBowire, type StartOptions } from "../fakes/bowire_process.ts";
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

/** Flags as documented, with one left out and another configuration in its place. */
async function flagsWithout(home: Home, feature: string): Promise<StartOptions> {
  const root = new URL("../../", import.meta.url);
  const config = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  const path = await home.put("deno.json", {
    imports: config.imports,
    unstable: config.unstable.filter((name: string) => name !== feature),
    nodeModulesDir: "none",
    lock: false,
  });
  return { flags: [`--config=${path}`, ...flagsFor(home)] };
}

Deno.test("without --unstable-worker-options one line says so, and calls are made all the same", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  const options = await flagsWithout(home, "worker-options");
  const call = ["call", "GET", "--url", target.url];
  const { code, stdout, stderr } = await runBowire(home, call, options);
  deepStrictEqual([code, JSON.parse(stdout)], [0, { path: "/" }]);
  strictEqual(stderr.match(FALLBACK)?.length, 1);
  match(stderr, /start Deno with "--unstable-worker-options"/);
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
  match(stderr, /start Deno with "--allow-read=.*plugins"/);
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
