import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createBowire } from "../../../mod.ts";
import { Home } from "../../fakes/home.ts";
import { EVERYTHING, startEverything } from "../../peers/mcp_peers.ts";
import { MODES } from "../../plugins/grpc/fixture.ts";
import { serveMcp, toolNamed } from "../../plugins/mcp/scripted.ts";
import { peerTest, run } from "./fixture.ts";

for (const mode of MODES) {
  const sandbox = ["--sandbox", mode];

  peerTest(`bowire explores and calls a server over HTTP, --sandbox ${mode}`, async () => {
    await using home = await Home.make();
    await using server = await startEverything();
    const reach = ["--url", server.mcpUrl, ...sandbox];
    const listed = await run(home, ["list", ...reach]);
    deepStrictEqual([listed.code, listed.stderr], [0, ""]);
    match(listed.stdout, /^Tools\nResources\nResource Templates\nPrompts\n/);
    const described = await run(home, ["describe", "Tools/echo", ...reach]);
    match(described.stdout, /message\* {2}string {4}Message to echo/);
    const called = await run(home, ["call", "Tools/echo", "-d", '{"message":"ahoy"}', ...reach]);
    deepStrictEqual([called.code, called.stderr], [0, ""]);
    match(called.stdout, /"Echo: ahoy"/);
    const { code, stdout } = await run(home, [
      ...["call", "Tools/get-structured-content", "-d", '{"location":"New York"}'],
      ...["--json", ...reach],
    ]);
    strictEqual(code, 0);
    const { protocol, metadata, response } = JSON.parse(stdout);
    deepStrictEqual([protocol, metadata.mcp_warning], ["mcp", undefined]);
    ok("temperature" in JSON.parse(response).structuredContent);
  });

  peerTest(
    `bowire --mcp-server goes to the URL of this name with its headers, ${mode}`,
    async () => {
      await using home = await Home.make();
      await using server = serveMcp({ tools: [toolNamed("dive")] });
      await home.put("mcp-servers.json", {
        servers: {
          web: { type: "http", url: server.url, headers: { "X-Key": "file", "X-B": "b" } },
        },
      });
      const call = ["call", "Tools/dive", "--mcp-server", "web", "-H", "X-Key: typed", ...sandbox];
      const { code, stderr } = await run(home, call);
      strictEqual(code, 0, stderr);
      for (const { headers } of server.named("POST")) {
        deepStrictEqual([headers.get("x-key"), headers.get("x-b")], ["typed", "b"]);
      }
      strictEqual(server.named("DELETE").length, 1);
      strictEqual(server.sessions.size, 0);
    },
  );

  peerTest(`createBowire calls servers over HTTP and programs, sandbox ${mode}`, async () => {
    await using home = await Home.make();
    await using server = await startEverything();
    await using bowire = await createBowire({
      home: home.path,
      sandbox: mode,
      allowedServerUrls: [server.mcpUrl],
      programs: { everything: EVERYTHING },
    });
    for (const url of [server.mcpUrl, "stdio://everything"]) {
      const { services, attempts } = await bowire.discover(url);
      ok(services.some(({ name, source }) => name === "Tools" && source === "mcp"), url);
      ok(attempts.some(({ outcome }) => outcome === "ok"));
      const told: number[] = [];
      const { invocation } = await bowire.invoke({
        url,
        service: "Tools",
        method: "trigger-long-running-operation",
        messages: ['{"duration":1,"steps":4}'],
        onProgress: ({ done }) => told.push(done),
      });
      strictEqual(invocation.ok, true);
      deepStrictEqual(told, [1, 2, 3, 4]);
      const asked: string[] = [];
      const { invocation: answered } = await bowire.invoke({
        url,
        service: "Tools",
        method: "trigger-sampling-request",
        messages: ['{"prompt":"say hi"}'],
        onQuestion({ kind }) {
          asked.push(kind);
          return Promise.resolve({ action: "accept", content: '"hi"' });
        },
      });
      deepStrictEqual(asked, ["reply"], url);
      match(answered.response ?? "", /LLM sampling result.*hi/s);
    }
  });
}

peerTest("a URL is explored by every protocol that may speak there", async () => {
  await using home = await Home.make();
  await using server = await startEverything();
  const { stdout } = await run(home, ["discover", "--url", server.mcpUrl, "--json"]);
  const { attempts } = JSON.parse(stdout);
  const outcomes = attempts.map((attempt: Record<string, string>) => [
    attempt.pluginId ?? attempt.protocol,
    attempt.outcome,
  ]);
  ok(outcomes.length > 1);
  deepStrictEqual(outcomes.filter(([, outcome]: string[]) => outcome === "ok"), [["mcp", "ok"]]);
});
