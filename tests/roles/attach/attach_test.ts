/** `bowire mcp serve --attach` as it is started, in front of a Bowire that is another process. */
import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { type HttpBowire, runBowire, startHttp } from "../../fakes/bowire_process.ts";
import { type ClientKind, clientTest, connectClient, type Way } from "../../fakes/clients.ts";
import { startStdio } from "../../fakes/conversation.ts";
import { Home } from "../../fakes/home.ts";
import { post } from "../../fakes/mcp_requests.ts";
import { freePort } from "../../peers/start_peer.ts";

const KINDS: readonly ClientKind[] = ["sdk 1", "sdk 2 legacy", "sdk 2 auto", "sdk 2 pinned"];
const TOKEN = "canary-token";
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const SHOW = "bowire.allowlist.show";

function addressOf({ url }: HttpBowire): string {
  return new URL(url).host;
}

for (const kind of KINDS) {
  for (const by of ["stdio", "http"] as const) {
    clientTest(kind, `sees over ${by} what it sees without --attach, and is asked`, async () => {
      await using home = await Home.make();
      await using parent = await startHttp(home, ["--allow-url", "http://127.0.0.1:9"]);
      const args = ["--attach", addressOf(parent)];
      await using stack = new AsyncDisposableStack();
      let way: Way = { kind: "stdio", home, args };
      if (by === "http") way = { kind: "http", url: stack.use(await startHttp(home, args)).url };
      const questions: string[] = [];
      const onQuestion = (question: string) => {
        questions.push(question);
        return { action: "accept", content: { confirm: true } } as const;
      };
      const direct = stack.use(await connectClient(kind, { kind: "http", url: parent.url }));
      const attached = stack.use(await connectClient(kind, way, { onQuestion }));
      strictEqual(attached.revision, direct.revision);
      deepStrictEqual(await attached.listTools(), await direct.listTools());
      const shown = await attached.callTool(SHOW);
      deepStrictEqual(shown.structuredContent.urls, ["http://127.0.0.1:9/"]);
      const permitted = await attached.callTool("bowire.allowlist.permit", {
        url: "http://127.0.0.1:8",
      });
      strictEqual(permitted.structuredContent.addedToMemory, true);
      strictEqual(questions.length, 1);
      const after = await direct.callTool(SHOW);
      deepStrictEqual(after.structuredContent.urls.length, 2);
    });
  }
}

for (
  const [address, reason] of [
    ["nowhere", /neither host:port nor an http or https URL/],
    ["ws://localhost:5081/mcp", /MCP is not spoken over ws/],
  ] as const
) {
  Deno.test(`--attach ${address} ends with 2 and the reason`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await runBowire(home, ["mcp", "serve", "--attach", address]);
    deepStrictEqual([code, stdout], [2, ""]);
    match(stderr, reason);
  });
}

Deno.test("--attach-token without --attach is refused, and the token not told", async () => {
  await using home = await Home.make();
  const args = ["mcp", "serve", "--attach-token", TOKEN];
  const { code, stderr } = await runBowire(home, args);
  strictEqual(code, 1);
  match(stderr, /cannot use --attach-token: there is no parent[\s\S]*--attach HOST:PORT/);
  doesNotMatch(stderr, /canary/);
});

Deno.test("flags on which the parent decides are named in a notice", async () => {
  await using home = await Home.make();
  const flags = ["--attach", "127.0.0.1:9", "--allow-url", "http://127.0.0.1:8", "--no-confirm"];
  const { code, stderr } = await runBowire(home, ["mcp", "serve", ...flags]);
  strictEqual(code, 0);
  match(stderr, /Everything is relayed to http:\/\/127\.0\.0\.1:9\/bowire\/mcp\./);
  match(stderr, /Not used with --attach, the parent decides: --allow-url, --no-confirm\./);
});

for (
  const [what, args, env] of [
    ["--attach-token", ["--attach-token", TOKEN], {}],
    ["BOWIRE_ATTACH_TOKEN", [], { BOWIRE_ATTACH_TOKEN: TOKEN }],
  ] as const
) {
  Deno.test(`${what} opens a parent that wants a token`, async () => {
    await using home = await Home.make();
    await using parent = await startHttp(home, ["--token", TOKEN]);
    const attach = ["--attach", addressOf(parent)];
    await using child = startStdio(home, [...attach, ...args], { env });
    await child.initialize();
    match(JSON.stringify(await child.call(SHOW)), /allowArbitraryUrls/);
    doesNotMatch(child.stderr, /canary/);
    match(child.stderr, /with a token/);
  });
}

Deno.test("a parent that wants another token is told as such, and no token is", async () => {
  await using home = await Home.make();
  await using parent = await startHttp(home, ["--token", "another"]);
  const args = ["--attach", addressOf(parent), "--attach-token", TOKEN];
  await using child = startStdio(home, args);
  const { error } = await child.request("tools/list");
  match(error?.message ?? "", new RegExp(addressOf(parent)));
  doesNotMatch(JSON.stringify(error) + child.stderr, /canary|another/);
});

Deno.test("C67 a child starts though its parent is down, which each answer names", async () => {
  await using home = await Home.make();
  const address = `127.0.0.1:${freePort()}`;
  await using overStdio = startStdio(home, ["--attach", address]);
  const { error } = await overStdio.request("tools/list");
  match(error?.message ?? "", new RegExp(`"http://${address}/bowire/mcp"`));
  await using overHttp = await startHttp(home, ["--attach", address]);
  const refused = await post(overHttp.url, LIST);
  match(refused.message.error.message, new RegExp(address));
});

Deno.test("a parent that Deno does not let it reach is told with the flag", async () => {
  await using home = await Home.make();
  await using parent = await startHttp(home);
  await using child = startStdio(home, ["--attach", addressOf(parent)], { net: [] });
  const { error } = await child.request("tools/list");
  match(JSON.stringify(error), new RegExp(`--allow-net=${addressOf(parent)}`));
});

Deno.test("an attached child over stdio ends with 0 when its input ends", async () => {
  await using home = await Home.make();
  await using parent = await startHttp(home);
  await using child = startStdio(home, ["--attach", addressOf(parent)]);
  await child.initialize();
  strictEqual((await child.finish()).code, 0);
});
