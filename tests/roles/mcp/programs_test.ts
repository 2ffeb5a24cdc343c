import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../../fakes/bowire_process.ts";
import { Home } from "../../fakes/home.ts";
import {
  EVERYTHING,
  filesystemServer,
  memoryServer,
  SEQUENTIAL_THINKING,
} from "../../peers/mcp_peers.ts";
import { NODE } from "../../peers/peers.ts";
import { peerTest, run, startedBy } from "./fixture.ts";

const STARTED = startedBy(EVERYTHING);

peerTest("bowire list shows the services of a program, and their methods", async () => {
  await using home = await Home.make();
  const all = await run(home, ["list", ...STARTED]);
  deepStrictEqual([all.code, all.stderr], [0, ""]);
  deepStrictEqual(all.stdout, "Tools\nResources\nResource Templates\nPrompts\n");
  const tools = await run(home, ["list", "Tools", ...STARTED]);
  deepStrictEqual(tools.stdout.split("\n").slice(0, 2), ["echo", "get-annotated-message"]);
});

peerTest("bowire discover --json gives what the program offers", async () => {
  await using home = await Home.make();
  const { code, stdout } = await run(home, ["discover", "--json", ...STARTED]);
  strictEqual(code, 0);
  const { services, attempts } = JSON.parse(stdout);
  deepStrictEqual(services.map(({ service }: { service: string }) => service), [
    "Tools",
    "Resources",
    "Resource Templates",
    "Prompts",
  ]);
  strictEqual(attempts[0].outcome, "ok");
  match(attempts[0].message, /mcp-servers\/everything .*, revision 2025-11-25/);
});

peerTest("bowire describe shows what a tool takes, gives and is said to do", async () => {
  await using home = await Home.make();
  const { code, stdout } = await run(home, ["describe", "Tools/get-sum", ...STARTED]);
  strictEqual(code, 0);
  match(stdout, /^Tools\/get-sum {2}Unary\n {2}Get Sum Tool\n/);
  match(stdout, /by its author's word: changes nothing/);
  match(stdout, /a\* {2}double {4}First number/);
  const json = await run(home, ["describe", "Tools/get-sum", "--json", ...STARTED]);
  match(json.stdout, /"First number"/);
});

const CALLS: readonly (readonly [name: string, data: string, answer: RegExp])[] = [
  ["Tools/get-sum", '{"a":1,"b":2}', /The sum of 1 and 2 is 3\./],
  [
    "Resources/demo://resource/static/document/features.md",
    "{}",
    /"uri": "demo:\/\/resource\/static\/document\/features\.md"/,
  ],
  [
    "Resource Templates/demo://resource/dynamic/text/{resourceId}",
    '{"resourceId":"7"}',
    /"uri": "demo:\/\/resource\/dynamic\/text\/7"/,
  ],
  ["Prompts/args-prompt", '{"city":"Oslo"}', /weather in Oslo/],
];
for (const [name, data, answer] of CALLS) {
  peerTest(`bowire call ${name} asks a program`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await run(home, ["call", name, "-d", data, ...STARTED]);
    deepStrictEqual([code, stderr], [0, ""]);
    match(stdout, answer);
  });
}

peerTest(
  "bowire call gives a program nothing of its own environment but what is named",
  async () => {
    await using home = await Home.make();
    const args = ["call", "Tools/get-env", "--json", "--mcp-env", "TOKEN=a=b c", ...STARTED];
    const { stdout } = await run(home, args);
    const [{ text }] = JSON.parse(JSON.parse(stdout).response).content;
    const given: Record<string, string> = JSON.parse(text);
    strictEqual(given.TOKEN, "a=b c");
    // HOME alone may be read by the executable as it is started here.
    deepStrictEqual(Object.keys(given).filter((name) => name !== "HOME"), ["TOKEN"]);
  },
);

peerTest("bowire call fails where the program's tool does, with the tool's own words", async () => {
  await using home = await Home.make();
  await using folder = await Home.make();
  const started = startedBy(filesystemServer(folder.path));
  const args = ["call", "Tools/read_text_file", "-d", '{"path":"/etc/hostname"}', ...started];
  const { code, stderr, stdout } = await run(home, args);
  strictEqual(code, 2);
  match(stderr, /^ToolError\n {2}Access denied - path outside allowed directories/);
  match(stdout, /"isError": true/);
  const json = await run(home, [...args, "--json"]);
  deepStrictEqual([json.code, JSON.parse(json.stdout).status], [2, "ToolError"]);
});

peerTest("bowire call reads, writes and lists files by the reference server", async () => {
  await using home = await Home.make();
  await using folder = await Home.make();
  const started = startedBy(filesystemServer(folder.path));
  const call = async (name: string, data: object) => {
    const body = JSON.stringify(data);
    const { code, stdout } = await run(home, [
      ...["call", `Tools/${name}`, "-d", body, "--json", ...started],
    ]);
    strictEqual(code, 0, stdout);
    const { response, metadata } = JSON.parse(stdout);
    strictEqual(metadata.mcp_warning, undefined); // it keeps the promises of its output schemas
    return JSON.parse(response).structuredContent;
  };
  const path = folder.file("crew.txt");
  await call("write_file", { path, content: "bo ⚓\n" });
  strictEqual(await Deno.readTextFile(path), "bo ⚓\n");
  deepStrictEqual(await call("read_text_file", { path }), { content: "bo ⚓\n" });
  match((await call("list_directory", { path: folder.path })).content, /\[FILE\] crew\.txt/);
});

peerTest("bowire call keeps a graph by the reference server of memory", async () => {
  await using home = await Home.make();
  const started = startedBy(memoryServer(home.file("graph.jsonl")));
  const entity = { name: "bo", entityType: "sailor", observations: ["at sea"] };
  const made = await run(home, [
    ...["call", "Tools/create_entities", ...started],
    ...["-d", JSON.stringify({ entities: [entity] })],
  ]);
  strictEqual(made.code, 0, made.stderr);
  const read = await run(home, ["call", "Tools/read_graph", "--json", ...started]);
  deepStrictEqual(JSON.parse(JSON.parse(read.stdout).response).structuredContent, {
    entities: [entity],
    relations: [],
  });
});

peerTest(
  "bowire call refuses arguments that break a program's schema, unless told not to",
  async () => {
    await using home = await Home.make();
    const started = startedBy(SEQUENTIAL_THINKING);
    const call = ["call", "Tools/sequentialthinking", ...started];
    const thought = { thought: "x", nextThoughtNeeded: false, thoughtNumber: 0, totalThoughts: 1 };
    const refused = await run(home, [...call, "-d", JSON.stringify(thought)]);
    strictEqual(refused.code, 2);
    match(refused.stderr, /cannot call "Tools\/sequentialthinking": .*thoughtNumber/);
    const sent = await run(home, [...call, "--no-validate", "-d", JSON.stringify(thought)]);
    strictEqual(sent.code, 2);
    match(sent.stderr, /^(ToolError|InvalidParams)/);
    const fine = { ...thought, thoughtNumber: 1 };
    const done = await run(home, [...call, "-d", JSON.stringify(fine)]);
    strictEqual(done.code, 0, done.stderr);
  },
);

peerTest("bowire call tells a question that nobody is there to answer", async () => {
  await using home = await Home.make();
  const args = ["call", "Tools/trigger-elicitation-request", "--json", ...STARTED];
  const { code, stdout } = await run(home, args);
  strictEqual(code, 0);
  const { response, metadata } = JSON.parse(stdout);
  match(response, /declined/);
  match(metadata.mcp_note, /the server asked ".*", and nobody was there to answer/);
});

const MISTAKES: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
  [
    ["call", "Tools/get-som", ...STARTED],
    2,
    /no "get-som" among its Tools\n {2}near it are: get-sum/,
  ],
  [["call", "Things/x", ...STARTED], 2, /the server has no "Things"\n {2}it has: Tools, Resources/],
  [["list", "--mcp-command", ""], 1, /cannot start a program: its command is empty/],
  [["list", "--mcp-command", 'node "x'], 1, /a " is not closed/],
  [["list", ...STARTED, "--mcp-env", "=x"], 1, /write it as NAME=value/],
  [["list", ...STARTED, "--url", "http://127.0.0.1:1"], 1, /cannot be used with/],
  [["list"], 1, /there is no URL\n {2}give --url; for an MCP server --mcp-command/],
  [["list", "--mcp-server", "none"], 1, /there is no server "none" in /],
  [
    ["list", "--mcp-command", `${JSON.stringify(NODE)} --no-such-flag`],
    1,
    /has ended; it wrote: .*no-such-flag/,
  ],
  [["list", "--url", "stdio://x"], 1, /cannot start "x": it is no known program/],
];
for (const [args, code, said] of MISTAKES) {
  const [verb, ...others] = args.filter((word) => !word.includes("/programs/"));
  peerTest(`bowire ${[verb, ...others].join(" ")} is a mistake, and told`, async () => {
    await using home = await Home.make();
    const done = await run(home, args);
    match(done.stderr, said);
    strictEqual(done.code, code);
  });
}

peerTest("bowire names the permission that a program takes", async () => {
  await using home = await Home.make();
  const args = ["call", "Tools/get-sum", ...STARTED];
  const { code, stderr } = await runBowire(home, args);
  strictEqual(code, 2);
  match(stderr, /Deno does not let this process run ".*\/node"\n {2}start it with --allow-run=/);
  const plan = await run(home, ["permissions", "list", ...STARTED]);
  ok(plan.stdout.includes(`--allow-run=${NODE}`), plan.stdout);
});

/** A file of named servers. */
async function putServers(home: Home, member: string, servers: object): Promise<void> {
  await home.put("mcp-servers.json", { [member]: servers });
}

for (const member of ["mcpServers", "servers"]) {
  peerTest(`bowire --mcp-server starts the program of this name below "${member}"`, async () => {
    await using home = await Home.make();
    const { command, args } = EVERYTHING;
    await putServers(home, member, {
      Every: { command, args, env: { COLOUR: "blue", TOKEN: "file" } },
    });
    const call = ["call", "Tools/get-env", "--json", "--mcp-server", "Every"];
    const { code, stdout } = await run(home, [...call, "--mcp-env", "TOKEN=typed"]);
    strictEqual(code, 0);
    const [{ text }] = JSON.parse(JSON.parse(stdout).response).content;
    const { COLOUR, TOKEN } = JSON.parse(text);
    deepStrictEqual([COLOUR, TOKEN], ["blue", "typed"]);
    const unknown = await run(home, ["list", "--mcp-server", "every"]);
    match(unknown.stderr, /there is no server "every".*\n {2}known are: Every/);
  });
}

peerTest("a broken mcp-servers.json is told without what is in it", async () => {
  await using home = await Home.make();
  await home.put("mcp-servers.json", '{"mcpServers": {"x": {"env": {"TOKEN": "CANARY"}}');
  const { code, stderr } = await run(home, ["list", "--mcp-server", "x"]);
  strictEqual(code, 1);
  match(stderr, /mcp-servers\.json/);
  doesNotMatch(stderr, /CANARY/);
});
