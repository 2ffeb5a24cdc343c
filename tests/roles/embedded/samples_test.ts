import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import { connectClient } from "../../fakes/clients.ts";
import { Home } from "../../fakes/home.ts";
import { startApp as startDenoServe } from "../../../samples/embed/deno_serve.ts";
import { startApp as startHono } from "../../../samples/embed/hono.ts";
import { startApp as startInProcessApi } from "../../../samples/embed/in_process_api.ts";

async function textAt(url: string): Promise<string> {
  return await (await fetch(url)).text();
}

Deno.test("an app of Deno.serve lets agents call one API, and no other", async () => {
  await using home = await Home.make();
  await using app = await startDenoServe({ home: home.path });
  strictEqual(await textAt(app.url), "the app's own page");
  const way = { kind: "http", url: `${app.url}/bowire/mcp` } as const;
  await using client = await connectClient("sdk 2 auto", way);
  const found = await client.callTool("bowire.discover", { url: app.apiUrl });
  match(JSON.stringify(found), /getShip/);
  const refused = await client.callTool("bowire.discover", { url: app.url });
  match(JSON.stringify(refused), /not on the allowlist/);
});

Deno.test("an app of Hono lets its own users in, each with sessions of their own", async () => {
  await using home = await Home.make();
  await using app = await startHono({ home: home.path });
  const url = `${app.url}/bowire/mcp`;
  await rejects(connectClient("sdk 2 legacy", { kind: "http", url }));
  await using ann = await connectClient("sdk 2 legacy", { kind: "http", url, token: "ann" });
  const names = (await ann.listTools()).map(({ name }) => name);
  strictEqual(names.includes("bowire.discover"), true);
  const answer = await fetch(app.url, { headers: { authorization: "Bearer ben" } });
  strictEqual(await answer.text(), "the app's own page");
});

Deno.test("an app's own API is tools, each method one, and nothing is dialled", async () => {
  await using home = await Home.make();
  await using app = await startInProcessApi({ home: home.path });
  const way = { kind: "http", url: `${app.url}/bowire/mcp` } as const;
  await using client = await connectClient("sdk 2 auto", way);
  const names = (await client.listTools()).map(({ name }) => name);
  deepStrictEqual(names.filter((name) => name.startsWith("Ships_")).length, 6);
  const answer = await client.callTool("Ships_getShip", { shipId: "9007199254740993" });
  match(JSON.stringify(answer.content), /9007199254740993/);
  match(await textAt(`${app.url}/ships/9007199254740993`), /9007199254740993/);
});
