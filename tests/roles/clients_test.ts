import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startRestTarget } from "../../samples/rest_target/server.ts";
import { startHttp } from "../fakes/bowire_process.ts";
import { type ClientKind, clientTest, connectClient, type Way } from "../fakes/clients.ts";
import { Home } from "../fakes/home.ts";
import type { TestClient } from "../fakes/test_client.ts";

const KINDS: readonly { kind: ClientKind; revision: string }[] = [
  { kind: "sdk 1", revision: "2025-11-25" },
  { kind: "sdk 2 legacy", revision: "2025-11-25" },
  { kind: "sdk 2 auto", revision: "2026-07-28" },
  { kind: "sdk 2 pinned", revision: "2026-07-28" },
];
const SERVERS = ["stdio", "http with sessions", "http without sessions"] as const;

/** Starts the server that a row of the table names. */
async function openWay(
  server: typeof SERVERS[number],
  home: Home,
  args: readonly string[],
): Promise<{ way: Way; server: AsyncDisposable }> {
  if (server === "stdio") {
    return { way: { kind: "stdio", home, args }, server: new AsyncDisposableStack() };
  }
  const stateless = server === "http without sessions" ? ["--stateless"] : [];
  const running = await startHttp(home, [...stateless, ...args]);
  return { way: { kind: "http", url: running.url }, server: running };
}

/** Permits a URL, by the token of a pending answer where the client cannot be asked. */
async function permit(client: TestClient, url: string) {
  const first = await client.callTool("bowire.allowlist.permit", { url });
  if (first.structuredContent.pending !== true) return first.structuredContent;
  const { confirmationToken } = first.structuredContent;
  const second = await client.callTool("bowire.allowlist.permit", { url, confirmationToken });
  return second.structuredContent;
}

for (const server of SERVERS) {
  for (const { kind, revision } of KINDS) {
    clientTest(kind, `lists and calls every tool over ${server}`, async () => {
      await using home = await Home.make();
      await using target = startRestTarget();
      await home.put("environments.json", {
        globals: { region: "north" },
        environments: [{ id: "e1", name: "Harbour", vars: { serverUrl: target.url } }],
        activeEnvId: "e1",
      });
      const opened = await openWay(server, home, []);
      await using _server = opened.server;
      const questions: string[] = [];
      await using client = await connectClient(kind, opened.way, {
        onQuestion: (message) => {
          questions.push(message);
          return { action: "accept", content: { confirm: true } };
        },
      });
      strictEqual(client.revision, revision);

      const tools = await client.listTools();
      deepStrictEqual(tools.map(({ name }) => name), [
        "bowire.discover",
        "bowire.invoke",
        "bowire.subscribe",
        "bowire.schema.add",
        "bowire.schema.list",
        "bowire.schema.remove",
        "bowire.env.list",
        "bowire.env.get",
        "bowire.allowlist.show",
        "bowire.allowlist.permit",
      ]);
      // With these the client checks every result below.
      for (const { name, outputSchema } of tools) ok(outputSchema, `${name} has no output schema`);

      const found = await client.callTool("bowire.discover", { url: target.url });
      deepStrictEqual(
        found.structuredContent.services.map(({ service }: { service: string }) => service).sort(),
        ["Berths", "Bookings", "Harbour", "Ships"],
      );
      const called = await client.callTool("bowire.invoke", {
        url: target.url,
        service: "Harbour",
        method: "getHarbour",
      });
      strictEqual(called.structuredContent.status, "OK");
      match(called.structuredContent.response, /Nordhavn/);
      const environments = await client.callTool("bowire.env.list");
      strictEqual(environments.structuredContent.environments.globals.region, "north");
      const environment = await client.callTool("bowire.env.get", { id: "Harbour" });
      strictEqual(environment.structuredContent.active, true);
      const shown = await client.callTool("bowire.allowlist.show");
      deepStrictEqual(shown.structuredContent.urls, [`${target.url}/`]);
      const permitted = await permit(client, "https://api.example.com/v1");
      deepStrictEqual(
        [permitted.url, permitted.addedToFile, permitted.addedToMemory, permitted.allowlistSize],
        ["https://api.example.com/v1", true, true, 2],
      );
      // Only a request of an older revision that stands alone has no way back to the person.
      const mayAsk = server !== "http without sessions" || revision === "2026-07-28";
      strictEqual(questions.length, mayAsk ? 1 : 0);
    });
  }
}

for (const { kind } of KINDS) {
  for (
    const [action, content, isAgreed] of [
      ["accept", { confirm: true }, true],
      ["accept", { confirm: false }, false],
      ["decline", undefined, false],
      ["cancel", undefined, false],
    ] as const
  ) {
    const what = `${action}${content === undefined ? "" : ` with ${content.confirm}`}`;
    clientTest(
      kind,
      `answers a question with ${what}: ${isAgreed ? "" : "nothing "}changes`,
      async () => {
        await using home = await Home.make();
        const questions: string[] = [];
        await using client = await connectClient(kind, { kind: "stdio", home, args: [] }, {
          onQuestion: (message) => {
            questions.push(message);
            return content === undefined ? { action } : { action, content };
          },
        });
        await client.listTools();
        const { isError, structuredContent } = await client.callTool("bowire.allowlist.permit", {
          url: "https://api.example.com/?key=canary",
        });
        deepStrictEqual([questions.length, isError ?? false], [1, !isAgreed]);
        match(questions[0] ?? "", /Let agents reach https:\/\/api\.example\.com\/ and everything/);
        if (!isAgreed) strictEqual(structuredContent.error.code, "confirmation_refused");
        const shown = await client.callTool("bowire.allowlist.show");
        strictEqual(shown.structuredContent.urls.length, isAgreed ? 1 : 0);
      },
    );
  }
}

for (const { kind } of KINDS) {
  clientTest(kind, `without elicitation gets a pending answer, and redeems its token`, async () => {
    await using home = await Home.make();
    await using client = await connectClient(kind, { kind: "stdio", home, args: [] });
    await client.listTools();
    const url = "https://api.example.com/";
    const first = await client.callTool("bowire.allowlist.permit", { url });
    const { pending, confirmationToken, kind: tool, plan } = first.structuredContent;
    deepStrictEqual([pending, tool], [true, "bowire.allowlist.permit"]);
    match(plan, /https:\/\/api\.example\.com\//);
    const second = await client.callTool("bowire.allowlist.permit", { url, confirmationToken });
    strictEqual(second.structuredContent.addedToMemory, true);
  });
}

for (const { kind } of KINDS) {
  clientTest(kind, `sees why a tool failed`, async () => {
    await using home = await Home.make();
    await using client = await connectClient(kind, { kind: "stdio", home, args: [] });
    await client.listTools();
    const url = "http://127.0.0.1:9/";
    for (
      const [tool, args, code] of [
        ["bowire.discover", { url }, "url_not_allowed"],
        ["bowire.invoke", { url, service: "", method: "GET" }, "url_not_allowed"],
        ["bowire.env.get", { id: "none" }, "not_found"],
        ["bowire.allowlist.show", { verbose: true }, "invalid_argument"],
        ["bowire.allowlist.permit", { url: "no url" }, "invalid_url"],
      ] as const
    ) {
      const { isError, structuredContent } = await client.callTool(tool, args);
      deepStrictEqual([isError, structuredContent.error.code], [true, code], tool);
    }
  });
}
