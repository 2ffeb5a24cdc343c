import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { checkLayers } from "../../scripts/check_layers.ts";
import { makeTree, runScript } from "./tree.ts";

const NOTHING = "export {};";

async function offencesOf(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await using tree = await makeTree(files);
  return (await checkLayers(tree.root)).offences;
}

/** Exactly one offence, and it starts so. */
async function expectOffence(files: Readonly<Record<string, string>>, start: string) {
  const offences = await offencesOf(files);
  strictEqual(offences.length, 1, offences.join("\n"));
  ok(offences[0]?.startsWith(start), offences[0] ?? "");
}

const LEGAL = {
  "main.ts":
    'import { run } from "./lib/cli/mod.ts";\nimport { PLUGINS } from "./plugins/mod.ts";\n' +
    "if (Deno.args.length > 0) Deno.exit(await run(PLUGINS));",
  "mod.ts": 'export * from "./lib/bowire.ts";\nexport * from "./plugins/mod.ts";',
  "lib/version.ts": 'import config from "../deno.json" with { type: "json" };',
  "lib/errors/mod.ts": NOTHING,
  "lib/gate/mod.ts":
    'import type { E } from "../errors/mod.ts";\nimport { V } from "../version.ts";',
  "lib/mcp/mod.ts": NOTHING,
  "lib/http/mod.ts": 'import "../mcp/mod.ts";\nimport "../gate/mod.ts";\nDeno.serve(handler);',
  "lib/store/mod.ts": "await Deno.rename(a, b);",
  "lib/protocol/mod.ts": 'export type { Target } from "../gate/mod.ts";',
  "lib/protocol/http/follow.ts": "const answer = await fetch(url);",
  "lib/protocol/socket.ts": "await Deno.connect(address);",
  "lib/cli/mod.ts":
    'import { bowire } from "../bowire.ts";\nconsole.log(await Deno.readTextFile(f));',
  "lib/bowire.ts": 'import { serve } from "./http/mod.ts";',
  "plugins/mod.ts":
    'import type { P } from "../lib/protocol/mod.ts";\nexport { REST } from "./rest/manifest.ts";',
  "plugins/rest/manifest.ts": 'export const REST = { id: "rest", name: "REST" };',
  "plugins/rest/plugin.ts":
    'import { P } from "../../lib/protocol/mod.ts";\nimport "./manifest.ts";',
  "samples/one/main.ts":
    'import { createBowire } from "../../mod.ts";\nimport { Hono } from "hono";',
  "tests/lib/gate_test.ts": 'import "../../lib/gate/mod.ts";\nimport "../../main.ts";',
  "scripts/x.ts": 'import "../lib/gate/mod.ts";\nconsole.log(await fetch(url));',
};

Deno.test("checkLayers has nothing to say of a tree that keeps to the floors", async () => {
  deepStrictEqual(await offencesOf(LEGAL), []);
});

const FORBIDDEN_IMPORTS: readonly [title: string, path: string, text: string][] = [
  ["a higher floor", "lib/gate/x.ts", 'import { h } from "../host/mod.ts";'],
  ["a neighbour on the same floor", "lib/gate/x.ts", 'import { s } from "../store/mod.ts";'],
  ["a type of a higher floor", "lib/gate/x.ts", 'import type { H } from "../host/mod.ts";'],
  ["an inline type of a higher floor", "lib/gate/x.ts", 'let h: import("../host/mod.ts").H;'],
  ["a re-export of a higher floor", "lib/gate/x.ts", 'export { type H } from "../host/mod.ts";'],
  ["a dynamic import of a higher floor", "lib/gate/x.ts", 'await import("../host/mod.ts");'],
  [
    "an import over several lines",
    "lib/gate/x.ts",
    'import {\n  a,\n  b,\n} from "../host/mod.ts";',
  ],
  ["the composition root from a room", "lib/host/x.ts", 'import { b } from "../bowire.ts";'],
  ["a plugin from lib", "lib/cli/x.ts", 'import { REST } from "../../plugins/mod.ts";'],
  ["mod.ts from the command line", "lib/cli/x.ts", 'import { b } from "../../mod.ts";'],
  ["main.ts from mod.ts", "mod.ts", 'export * from "./main.ts";'],
  ["a plugin's inside from mod.ts", "mod.ts", 'export * from "./plugins/rest/plugin.ts";'],
  ["another plugin from a plugin", "plugins/rest/x.ts", 'import { G } from "../grpc/plugin.ts";'],
  ["the gate from a plugin", "plugins/rest/x.ts", 'import { A } from "../../lib/gate/mod.ts";'],
  ["the gate from plugins/mod.ts", "plugins/mod.ts", 'import { P } from "../lib/gate/mod.ts";'],
  ["lib from a sample", "samples/one/x.ts", 'import { A } from "../../lib/gate/mod.ts";'],
  ["a plugin from a sample", "samples/one/x.ts", 'import { A } from "../../plugins/mod.ts";'],
  ["a script from lib", "lib/cli/x.ts", 'import { A } from "../../scripts/x.ts";'],
];

for (const [title, path, text] of FORBIDDEN_IMPORTS) {
  Deno.test(`checkLayers refuses ${title}`, async () => {
    const line = text.split("\n").length;
    await expectOffence({ [path]: text }, `${path}:${line}: imports "`);
  });
}

Deno.test("checkLayers says what a room may import", async () => {
  const offences = await offencesOf({ "lib/gate/x.ts": 'import "../host/mod.ts";' });
  deepStrictEqual(offences, [
    'lib/gate/x.ts:1: imports "../host/mod.ts"; ' +
    "lib/gate may import only lib/version.ts, lib/model, lib/errors, lib/schema",
  ]);
});

Deno.test("checkLayers refuses a room that the table does not know", async () => {
  await expectOffence(
    { "lib/attic/x.ts": NOTHING },
    "lib/attic/x.ts:1: lib/attic is no known room",
  );
  await expectOffence({ "lib/loose.ts": NOTHING }, "lib/loose.ts:1: lib/loose.ts is no known room");
});

Deno.test("checkLayers names a circle between files once", async () => {
  await expectOffence(
    {
      "lib/gate/a.ts": 'import "./b.ts";',
      "lib/gate/b.ts": '\nimport type { C } from "./c.ts";',
      "lib/gate/c.ts": 'import "./b.ts";',
    },
    "lib/gate/c.ts:1: imports in a circle: lib/gate/b.ts -> lib/gate/c.ts -> lib/gate/b.ts",
  );
});

const RESERVED_CODE: readonly [title: string, path: string, text: string][] = [
  ["a file function outside the store", "lib/gate/x.ts", "await Deno.readTextFile(path);"],
  ["a synchronous file function", "plugins/rest/x.ts", "Deno.writeFileSync(path, data);"],
  ["the environment", "lib/server/x.ts", 'Deno.env.get("HOME");'],
  ["the arguments", "mod.ts", "const [first] = Deno.args;"],
  ["ending the process", "lib/http/x.ts", "Deno.exit(1);"],
  ["standard output", "lib/mcp/x.ts", "Deno.stdout.writable;"],
  ["the console", "plugins/rest/x.ts", 'console.log("x");'],
  ["a call of fetch", "plugins/rest/x.ts", "const answer = await fetch(url);"],
  ["a floating call of fetch", "lib/call/x.ts", "start();fetch(url);"],
  ["fetch between question mark and colon", "lib/call/x.ts", "const a = b ? fetch(c) : d;"],
  ["fetch by its full name", "lib/call/x.ts", "const dial = globalThis.fetch;"],
  ["fetch inside a template", "lib/call/x.ts", "const a = `${await fetch(b)}`;"],
  ["a connection", "lib/mcp/x.ts", "await Deno.connectTls({ port });"],
  ["a WebSocket", "plugins/rest/x.ts", "const socket = new WebSocket(url);"],
  ["a listener outside of http", "lib/mcp/x.ts", "Deno.serve(handler);"],
  ["making a Target", "lib/gate/x.ts", "const target = new Target(address);"],
];

for (const [title, path, text] of RESERVED_CODE) {
  Deno.test(`checkLayers reserves ${title}`, async () => {
    await expectOffence({ [path]: `${NOTHING}\n${text}` }, `${path}:2: uses `);
  });
}

Deno.test("checkLayers does not take text, comments and methods for calls", async () => {
  const innocent = [
    "// console.log(await fetch(url))",
    "/* Deno.exit(1) */ const text = \"Deno.env.get('HOME')\" + 'console.log(1)';",
    "const template = `Deno.args ${text} console.error()`;",
    'const pattern = /Deno.readTextFile|"/; // console.log',
    "await this.fetch(url); await handler.fetch(request);",
    "interface Client { fetch(url: string): Promise<Response>; }",
    "const client = { name, async fetch(url: string) { return await dial(url); } };",
    "class Other { fetch(url: string): Promise<Response> { return dial(url); } }",
  ].join("\n");
  deepStrictEqual(await offencesOf({ "lib/call/x.ts": innocent }), []);
});

Deno.test("checkLayers finds a protocol id in lib and nowhere else", async () => {
  const manifest = 'export const M = { id: "amqp", name: "AMQP" };';
  await expectOffence(
    {
      "plugins/amqp/manifest.ts": manifest,
      "plugins/amqp/plugin.ts": 'if (hint === "amqp") dial();',
      "lib/host/x.ts": '// the amqp way\nif (hint === "amqp") dial("amqp broker", "AMQP");',
    },
    'lib/host/x.ts:2: names the protocol "amqp"',
  );
});

Deno.test("check_layers ends with a summary and exit code 1 only after an offence", async () => {
  await using good = await makeTree(LEGAL);
  await using bad = await makeTree({ "lib/gate/x.ts": "Deno.exit(1);" });
  const passed = await runScript("check_layers.ts", good.root);
  const failed = await runScript("check_layers.ts", bad.root);
  deepStrictEqual([passed.code, failed.code], [0, 1]);
  match(passed.stderr, /^layers: \d+ files, \d+ imports, 0 offences\n$/);
  match(failed.stderr, /^lib\/gate\/x\.ts:1: uses .*\nlayers: 1 files, 0 imports, 1 offences\n$/);
});
