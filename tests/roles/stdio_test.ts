import { fileURLToPath } from "node:url";
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { startBowire } from "../fakes/bowire_process.ts";
import { type Conversation, startStdio } from "../fakes/conversation.ts";
import { within } from "../fakes/deadline.ts";
import { Home } from "../fakes/home.ts";
import { startRecordingTarget } from "../fakes/target.ts";

const DOTTED = [
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
];
const UNDERSCORE = DOTTED.map((name) => name.replaceAll(".", "_"));

async function listNames(agent: Conversation): Promise<string[]> {
  const { result } = await agent.request("tools/list");
  ok(Array.isArray(result?.tools));
  return result.tools.map(({ name }: { name: string }) => name);
}

/** Most memory that the process has had so far; 0 where Linux does not tell. */
async function peakMemoryMiB({ pid }: Conversation): Promise<number> {
  if (Deno.build.os !== "linux") return 0;
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

for (
  const [clientName, flags, expected] of [
    ["some new client", [], DOTTED],
    ["claude-ai", [], UNDERSCORE],
    ["cursor-vscode", [], UNDERSCORE],
    ["codex-mcp-client", [], UNDERSCORE],
    ["some new client", ["--tool-names", "underscore"], UNDERSCORE],
    ["claude-ai", ["--tool-names", "dotted"], DOTTED],
  ] as const
) {
  Deno.test(`C48 tools/list shows "${clientName}" ${expected[0]} with [${flags}]`, async () => {
    await using home = await Home.make();
    await using agent = startStdio(home, flags);
    await agent.initialize(clientName);
    const names = await listNames(agent);
    deepStrictEqual(names, expected);
    if (expected === UNDERSCORE) {
      for (const name of names) match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    }
  });
}

Deno.test("C48 tools/call takes dots and underscores, whatever the list shows", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home, ["--tool-names", "dotted"]);
  await agent.initialize("claude-ai");
  for (const name of ["bowire.allowlist.show", "bowire_allowlist_show"]) {
    deepStrictEqual((await agent.call(name)).structuredContent.urls, []);
  }
});

Deno.test("C49 stdio keeps characters whose bytes arrive one by one", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const id = "🚢-Ærø-日本";
  const line = JSON.stringify({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "bowire.env.get", arguments: { id } },
  });
  for (const byte of new TextEncoder().encode(`${line}\n`)) {
    await agent.sendBytes(Uint8Array.of(byte));
  }
  const { result } = await agent.answerTo(id);
  match(JSON.stringify(result), /there is no environment \\"🚢-Ærø-日本\\"/);
});

Deno.test("C50 stdout holds only JSON-RPC, whatever a plugin prints", async () => {
  await using home = await Home.make();
  const main = fileURLToPath(new URL("../fakes/noisy_main.ts", import.meta.url));
  await using agent = startStdio(home, ["--allow-url", "http://127.0.0.1:9"], { main });
  await agent.initialize();
  const url = "http://127.0.0.1:9";
  const found = await agent.call("bowire.discover", { url });
  strictEqual(found.structuredContent.services[0].service, "Street");
  const called = await agent.call("bowire.invoke", { url, service: "Street", method: "shout" });
  strictEqual(called.structuredContent.response, '"hey"');
  strictEqual((await agent.finish()).code, 0);
  strictEqual(agent.lines.length, 3);
  for (const line of agent.lines) {
    strictEqual(JSON.parse(line).jsonrpc, "2.0");
    ok(!line.includes("NOISE"));
  }
  for (const way of ["console.log", "node:console", "process.stdout", "Deno.stdout.writeSync"]) {
    // At the start, when it is loaded, and in each of the two calls.
    strictEqual(agent.stderr.split(`NOISE ${way}\n`).length - 1, 4, way);
  }
});

Deno.test("C51 stdio reads a line of 5 MiB that comes in pieces of 4 KiB", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const head = '{"jsonrpc":"2.0","id":"long","method":"tools/call","params":' +
    '{"name":"bowire.env.get","arguments":{"id":"';
  await agent.sendBytes(new TextEncoder().encode(head));
  const piece = new TextEncoder().encode("x".repeat(4096));
  for (let sent = 0; sent < 5 * 1024 * 1024; sent += piece.byteLength) {
    await agent.sendBytes(piece);
  }
  await agent.sendBytes(new TextEncoder().encode('"}}}\n'));
  const { result } = await agent.answerTo("long");
  strictEqual(result?.isError, true);
  match(JSON.stringify(result), /there is no environment/);
});

Deno.test("C51 stdio answers a line of 200 MiB with an error and its id, and goes on", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const head = '{"jsonrpc":"2.0","id":"huge","method":"tools/call","params":{"x":"';
  await agent.sendBytes(new TextEncoder().encode(head));
  const before = await peakMemoryMiB(agent);
  const piece = new Uint8Array(1024 * 1024).fill(0x78);
  for (let sent = 0; sent < 200; sent++) await agent.sendBytes(piece);
  await agent.sendBytes(new TextEncoder().encode('"}}\n'));
  const { error } = await agent.answerTo("huge");
  strictEqual(error?.code, -32600);
  match(error.message, /longer than 16777216 bytes/);
  const rise = await peakMemoryMiB(agent) - before;
  ok(rise < 64, `memory rose by ${rise} MiB`);
  deepStrictEqual((await agent.request("ping")).result, {});
});

Deno.test("C52 mcp serve ends with 0 within a second when stdin is empty", async () => {
  await using home = await Home.make();
  await using running = startBowire(home, ["mcp", "serve"], {});
  const startedMs = performance.now();
  await running.child.stdin.close();
  const stdout = new Response(running.child.stdout).text();
  const { code } = await within(running.ended, "the end", running.stderr);
  strictEqual(code, 0, running.stderr());
  strictEqual(await stdout, "");
  const tookMs = performance.now() - startedMs;
  ok(tookMs < 1000, `it took ${tookMs} ms`);
});

Deno.test("C52 mcp serve ends within a second of stdin, with a call still in flight", async () => {
  await using home = await Home.make();
  await using target = startRecordingTarget();
  await using agent = startStdio(home, ["--allow-url", target.url]);
  await agent.initialize();
  await agent.start("tools/call", {
    name: "bowire.invoke",
    arguments: { url: `${target.url}/hang`, service: "", method: "GET" },
  });
  await within(target.hanging, "the call to arrive");
  const startedMs = performance.now();
  const { code } = await agent.finish();
  const tookMs = performance.now() - startedMs;
  strictEqual(code, 0, agent.stderr);
  ok(tookMs < 1000, `it took ${tookMs} ms`);
});

Deno.test("stdio answers a call that was in flight when stdin ended", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const id = await agent.start("tools/call", { name: "bowire.allowlist.show", arguments: {} });
  const { code, rest } = await agent.finish();
  strictEqual(code, 0);
  deepStrictEqual(rest.map((line) => JSON.parse(line).id), [id]);
});

Deno.test("C56 an unknown tool is -32602, a failing tool is a result with isError", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const unknown = await agent.request("tools/call", { name: "bowire.nothing", arguments: {} });
  strictEqual(unknown.error?.code, -32602);
  match(unknown.error.message, /bowire\.nothing/);
  const failing = await agent.call("bowire.env.get", { id: "none" });
  strictEqual(failing.isError, true);
  strictEqual(failing.structuredContent.error.code, "not_found");
  deepStrictEqual(JSON.parse(failing.content[0]?.text ?? ""), failing.structuredContent);
});

Deno.test("C58 initialize is answered long after the start", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  // The case itself: a client that is silent for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  strictEqual((await agent.initialize()).protocolVersion, "2025-11-25");
});

for (
  const [what, name, args, named] of [
    ["unknown", "bowire.allowlist.show", { verbose: true }, "verbose"],
    ["misspelt", "bowire.env.get", { id: "a", ID: "b" }, "ID"],
    [
      "misplaced",
      "bowire.invoke",
      { url: "http://127.0.0.1:9", service: "", method: "GET", headers: { a: "b" } },
      "headers",
    ],
    ["unknown in a change", "bowire.allowlist.permit", { url: "http://a.test", note: 1 }, "note"],
  ] as const
) {
  Deno.test(`C60 tools/call rejects an argument by name: ${what}`, async () => {
    await using home = await Home.make();
    await using agent = startStdio(home);
    await agent.initialize();
    const { isError, structuredContent } = await agent.call(name, args);
    strictEqual(isError, true);
    strictEqual(structuredContent.error.code, "invalid_argument");
    match(structuredContent.error.message, new RegExp(`"${named}" is not an argument`));
    strictEqual(structuredContent.error.details.violations[0].path, named);
  });
}

Deno.test("tools/call names an argument of the wrong type and one that is missing", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  const wrong = await agent.call("bowire.invoke", { url: 7, method: "GET" });
  strictEqual(wrong.structuredContent.error.code, "invalid_argument");
  deepStrictEqual(
    wrong.structuredContent.error.details.violations.map(({ path }: { path: string }) => path),
    ["url", "service"],
  );
});

for (
  const [what, line, id, code] of [
    ["half an object", '{"jsonrpc":"2.0","id":9,', null, -32700],
    ["plain text", "hello", null, -32700],
    ["a number", "42", null, -32600],
    ["an empty batch", "[]", null, -32600],
    ["a message without a version", '{"id":9,"method":"ping"}', 9, -32600],
    ["an object with an id only", '{"jsonrpc":"2.0","id":"a"}', "a", -32600],
  ] as const
) {
  Deno.test(`stdio answers ${what} with ${code} and goes on`, async () => {
    await using home = await Home.make();
    await using agent = startStdio(home);
    await agent.initialize();
    await agent.send(line);
    const { error } = await agent.answerTo(id);
    strictEqual(error?.code, code);
    ok(!/\.ts|file:|\n/.test(error.message), `it shows its inside: ${error.message}`);
    deepStrictEqual((await agent.request("ping")).result, {});
  });
}

for (const protocolVersion of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
  Deno.test(`initialize agrees to ${protocolVersion}`, async () => {
    await using home = await Home.make();
    await using agent = startStdio(home);
    const { result } = await agent.request("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "old client", version: "1.0" },
    });
    strictEqual(result?.protocolVersion, protocolVersion);
  });
}

Deno.test("initialize offers the newest revision with a handshake to an unknown one", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  const { result } = await agent.request("initialize", {
    protocolVersion: "1999-01-01",
    capabilities: {},
    clientInfo: { name: "odd client", version: "1.0" },
  });
  strictEqual(result?.protocolVersion, "2025-11-25");
});

Deno.test("stdio answers every request of a batch", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  await agent.send(["a", "b"].map((id) => ({ jsonrpc: "2.0", id, method: "ping" })));
  deepStrictEqual((await agent.answerTo("a")).result, {});
  deepStrictEqual((await agent.answerTo("b")).result, {});
});

Deno.test("stdio passes over empty lines and takes lines that end in CR LF", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.send("\n\r\n   ");
  await agent.initialize();
  await agent.send('{"jsonrpc":"2.0","id":"crlf","method":"ping"}\r');
  deepStrictEqual((await agent.answerTo("crlf")).result, {});
  strictEqual(agent.lines.length, 2);
});

Deno.test("stdio survives notifications and a ping before initialize", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await agent.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4 } });
  await agent.send({ jsonrpc: "2.0", method: "notifications/unheard-of" });
  deepStrictEqual((await agent.request("ping")).result, {});
  strictEqual((await agent.initialize()).protocolVersion, "2025-11-25");
});

Deno.test("stdio refuses an unknown method with -32601", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home);
  await agent.initialize();
  strictEqual((await agent.request("tools/unheard-of")).error?.code, -32601);
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`mcp serve over stdio ends with 0 on ${signal}`, async () => {
    await using home = await Home.make();
    await using agent = startStdio(home);
    await agent.initialize();
    agent.kill(signal);
    deepStrictEqual(await agent.drain(), { code: 0, rest: [] });
  });
}

Deno.test("mcp serve ends when nobody reads its output any more", async () => {
  await using home = await Home.make();
  await using running = startBowire(home, ["mcp", "serve"], {});
  await running.child.stdout.cancel();
  const input = running.child.stdin.getWriter();
  await input.write(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'));
  const { code } = await within(running.ended, "the end", running.stderr);
  strictEqual(code, 0, running.stderr());
  await input.abort().catch(() => {});
});

Deno.test("mcp serve says on stderr which flags mean nothing over stdio", async () => {
  await using home = await Home.make();
  await using agent = startStdio(home, ["--port", "5000", "--token", "canary", "--stateless"]);
  strictEqual((await agent.finish()).code, 0);
  match(agent.stderr, /Not used over stdio: --port, --token, --stateless/);
  ok(!agent.stderr.includes("canary"));
});
