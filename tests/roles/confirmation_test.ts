import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startHttp } from "../fakes/bowire_process.ts";
import { connectClient } from "../fakes/clients.ts";
import { type Conversation, startStdio } from "../fakes/conversation.ts";
import { Home } from "../fakes/home.ts";

const PERMIT = "bowire.allowlist.permit";
const URL_A = "https://a.example.com/";
const URL_B = "https://b.example.com/";

async function startAgent(home: Home, args: readonly string[] = []): Promise<Conversation> {
  const agent = startStdio(home, args);
  await agent.initialize();
  return agent;
}

async function askToken(agent: Pick<Conversation, "call">, url: string): Promise<string> {
  const { structuredContent, isError } = await agent.call(PERMIT, { url });
  deepStrictEqual([isError, structuredContent.pending], [false, true]);
  return structuredContent.confirmationToken;
}

async function urlsOf(agent: Conversation): Promise<string[]> {
  return (await agent.call("bowire.allowlist.show")).structuredContent.urls;
}

/** Asserts that a call is refused for want of a confirmation. */
async function assertRefused(agent: Conversation, args: Record<string, unknown>): Promise<void> {
  const { isError, structuredContent } = await agent.call(PERMIT, args);
  strictEqual(isError, true, JSON.stringify(structuredContent));
  strictEqual(structuredContent.error.code, "confirmation_refused");
  ok(
    !/no-confirm|confirm: ?true/.test(JSON.stringify(structuredContent)),
    "the refusal teaches a bypass",
  );
}

Deno.test("C100 a token is refused for other arguments, and spent by it", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home);
  const confirmationToken = await askToken(agent, URL_A);
  await assertRefused(agent, { url: URL_B, confirmationToken });
  await assertRefused(agent, { url: URL_A, confirmationToken });
  deepStrictEqual(await urlsOf(agent), []);
});

Deno.test("C100 a token works once", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home);
  const confirmationToken = await askToken(agent, URL_A);
  strictEqual((await agent.call(PERMIT, { url: URL_A, confirmationToken })).isError, false);
  await assertRefused(agent, { url: URL_A, confirmationToken });
  deepStrictEqual(await urlsOf(agent), [URL_A]);
});

Deno.test("C100 a token of one process is refused by another with the same home", async () => {
  await using home = await Home.make();
  await using first = await startAgent(home);
  await using second = await startAgent(home);
  const confirmationToken = await askToken(first, URL_A);
  await assertRefused(second, { url: URL_A, confirmationToken });
  strictEqual((await first.call(PERMIT, { url: URL_A, confirmationToken })).isError, false);
});

Deno.test("C100 a token of one session is refused in another of the same server", async () => {
  await using home = await Home.make();
  await using server = await startHttp(home);
  const way = { kind: "http", url: server.url } as const;
  await using first = await connectClient("sdk 2 legacy", way);
  await using second = await connectClient("sdk 2 legacy", way);
  const { confirmationToken } = (await first.callTool(PERMIT, { url: URL_A })).structuredContent;
  const stolen = await second.callTool(PERMIT, { url: URL_A, confirmationToken });
  strictEqual(stolen.structuredContent.error.code, "confirmation_refused");
  const shown = await second.callTool("bowire.allowlist.show");
  deepStrictEqual(shown.structuredContent.urls, []);
});

Deno.test("C100 confirm: true on a first call is refused", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home);
  await assertRefused(agent, { url: URL_A, confirm: true });
  await assertRefused(agent, { url: URL_A, confirmationToken: "0".repeat(32) });
  deepStrictEqual(await urlsOf(agent), []);
});

Deno.test("confirm: true redeems what is pending for the same arguments, once", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home);
  await askToken(agent, URL_A);
  await assertRefused(agent, { url: URL_B, confirm: true });
  strictEqual((await agent.call(PERMIT, { url: URL_A, confirm: true })).isError, false);
  await assertRefused(agent, { url: URL_A, confirm: true });
});

Deno.test("C100 an agent cannot redeem a question that was put to the person", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize("asking client", { elicitation: { form: {} } });
  const id = await agent.start("tools/call", { name: PERMIT, arguments: { url: URL_A } });
  const question = await agent.next();
  strictEqual(question.method, "elicitation/create");
  const asked = JSON.stringify(question.params);
  await assertRefused(agent, { url: URL_A, confirm: true });
  for (const [token] of asked.matchAll(/[0-9a-f]{32}/g)) {
    await assertRefused(agent, { url: URL_A, confirmationToken: token });
  }
  await agent.send({
    jsonrpc: "2.0",
    id: question.id,
    result: { action: "accept", content: { confirm: true } },
  });
  strictEqual((await agent.answerTo(id)).result?.isError, false);
  deepStrictEqual(await urlsOf(agent), [URL_A]);
});

Deno.test("--no-confirm permits at once, and the banner warns of it", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home, ["--no-confirm"]);
  strictEqual((await agent.call(PERMIT, { url: URL_A })).structuredContent.addedToMemory, true);
  match(agent.stderr, /WARNING: changes run without asking \(--no-confirm\)/);
});

Deno.test("a bad URL is refused before anybody is asked", async () => {
  await using home = await Home.make();
  await using agent = await startAgent(home);
  for (const url of ["", "not a url", "https://user:canary@host.test/", "http://"]) {
    const { isError, structuredContent } = await agent.call(PERMIT, { url });
    strictEqual(isError, true, url);
    strictEqual(structuredContent.pending, undefined);
    ok(!JSON.stringify(structuredContent).includes("canary"));
  }
});

for (const [name, value] of [["confirm", "true"], ["confirmationToken", 7]] as const) {
  Deno.test(`C60 a ${name} of the wrong type is refused by name`, async () => {
    await using home = await Home.make();
    await using agent = await startAgent(home);
    const { isError, structuredContent } = await agent.call(PERMIT, { url: URL_A, [name]: value });
    strictEqual(isError, true);
    strictEqual(structuredContent.pending, undefined);
    strictEqual(structuredContent.error.code, "invalid_argument");
    deepStrictEqual(
      structuredContent.error.details.violations.map(({ path }: { path: string }) => path),
      [name],
    );
  });
}
