import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { openShop } from "../../adapter/shop.ts";
import { flagsFor, runBowire, startBowire } from "../../fakes/bowire_process.ts";
import { Conversation } from "../../fakes/conversation.ts";
import { Home } from "../../fakes/home.ts";
import { EVERYTHING, startEverything } from "../../peers/mcp_peers.ts";
import { HAS_PEERS } from "../../peers/peers.ts";
import { pasted, shellWords, touchedBeyond } from "../pasted_process.ts";

Deno.test("bowire --help and bowire open --help tell of the adapter", async () => {
  await using home = await Home.make();
  match((await runBowire(home, ["--help"])).stdout, /^ {2}open \[options\].*URLs offer; with$/m);
  const { code, stdout, stderr } = await runBowire(home, ["open", "--help"]);
  deepStrictEqual([code, stderr], [0, ""]);
  const groups = ["Adapter options", "Listener options", "In place of --url", "Schema options"];
  for (const group of groups) match(stdout, new RegExp(`^${group}`, "m"));
  for (const option of ["--enable-mcp-adapter", "--tools", "--include", "--forward-header"]) {
    match(stdout, new RegExp(`^ {2}${option}\\b`, "m"));
  }
});

for (const words of [[], ["open"]]) {
  Deno.test(`${["bowire", ...words].join(" ")} --url shows what the URL offers`, async () => {
    await using home = await Home.make();
    await using shop = openShop();
    const args = [...words, "--url", `${shop.url}/openapi.json`, "-H", "X-Key: abc"];
    const { code, stdout, stderr } = await runBowire(home, args);
    deepStrictEqual([code, stderr], [0, ""]);
    match(stdout, /^pets {2}rest .*\n {2}listPets +GET \/pets +List all pets/m);
    strictEqual(shop.received.at(-1)?.headers.get("x-key"), "abc");
  });
}

Deno.test("bowire --url of several shows each, with the headers of its own", async () => {
  await using home = await Home.make();
  await using one = openShop();
  await using two = openShop();
  const header = ["--header-for", `${two.url} X-Key: abc`];
  const args = ["--url", one.url, "--url", two.url, ...header];
  const { code, stdout } = await runBowire(home, args);
  strictEqual(code, 0);
  strictEqual(stdout.match(/^pets {2}rest/gm)?.length, 2);
  deepStrictEqual([one, two].map(({ received }) => received[0]?.headers.get("x-key")), [
    null,
    "abc",
  ]);
});

const URL_A = ["--url", "http://127.0.0.1:9"];
const ADAPT = [...URL_A, "--enable-mcp-adapter"];
const STRAY = ["--header-for", "http://b.test X: y"];

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [["opne", ...URL_A], /unknown command 'opne'\n\(Did you mean open\?\)/],
  [["--enable-mcp-adapter"], /there is no URL\n.*--url/],
  [["--include", "tag:a"], /there is no URL/],
  [
    ["--enable-mcp-adaptor", ...URL_A],
    /'--enable-mcp-adaptor'\n\(Did you mean --enable-mcp-adapter\?\)/,
  ],
  [[...URL_A, "--tools", "all"], /cannot use --tools: .*\n.*--enable-mcp-adapter/],
  [[...URL_A, "--bind", "stdio"], /cannot use --bind: .*\n.*--enable-mcp-adapter/],
  [[...ADAPT, "--tools", "some"], /'--tools <mode>'.*Allowed choices are auto, all, search/],
  [[...ADAPT, "--tool-budget", "many"], /'--tool-budget <tools\[,size\]>'.*200,512KB/],
  [[...ADAPT, "--tool-name-limit", "9"], /'--tool-name-limit <n>'.*whole number from 24 to 128/],
  [[...ADAPT, "--max-answer-chars", "x"], /'--max-answer-chars <n>'/],
  [[...ADAPT, "--call-timeout-ms", "-1"], /'--call-timeout-ms <n>'/],
  [[...ADAPT, "--rediscover", "1.5"], /'--rediscover <seconds>'/],
  [[...ADAPT, "--header-for", "X: y"], /'--header-for <url name:value>'.*'URL Name: value'/],
  [[...ADAPT, ...STRAY], /--header-for "http:\/\/b\.test": it is no --url\n.*127\.0\.0\.1:9/],
  [[...ADAPT, "--forward-header", "host"], /cannot forward the header "host"/],
  [[...ADAPT, "--port", "70000"], /'--port <n>'/],
  [[...ADAPT, "--host", "0.0.0.0"], /refusing to listen at 0\.0\.0\.0:5080.*a token/],
  [[...ADAPT, "--mcp-command", "x"], /'--mcp-command <command>' cannot be used with.*'--url/],
  [["--url", "nonsense://", "--enable-mcp-adapter"], /"nonsense:\/\/"/],
];

Deno.test("bowire open refuses what cannot be, by the name of the option", async () => {
  await using home = await Home.make();
  await Promise.all(REFUSED.map(async ([args, message]) => {
    const { code, stdout, stderr } = await runBowire(home, args);
    deepStrictEqual([code, stdout], [1, ""], args.join(" "));
    match(stderr, message, `${args.join(" ")}: ${stderr}`);
    doesNotMatch(stderr, /\.ts:\d|\n +at /);
  }));
});

Deno.test("bowire permissions open: what it prints is all that an adapter takes", async () => {
  await using home = await Home.make();
  await using shop = openShop();
  const token = await home.put("token", "secret");
  const args = ["--url", shop.url, "--enable-mcp-adapter", "--port", "0", "--token-file", token];
  const printed = await runBowire(home, ["permissions", "open", ...args]);
  strictEqual(printed.code, 0, printed.stderr);
  const flags = shellWords(printed.stdout);
  const net = flags.find((flag) => flag.startsWith("--allow-net="));
  strictEqual(net, `--allow-net=${new URL(shop.url).host},127.0.0.1:0`);
  await using running = startBowire(home, args, pasted(home, flags));
  const reader = running.child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  match((await reader.read()).value ?? running.stderr(), /^MCP server listening at http/);
  reader.releaseLock();
  deepStrictEqual(await touchedBeyond(home, flags), []);
});

const PLANNED:
  readonly (readonly [args: readonly string[], net: string, files: readonly string[]])[] = [
    [["--url", "http://a.test"], "a.test:80", []],
    [["--url", "http://a.test", "--enable-mcp-adapter"], "a.test:80,127.0.0.1:5080", []],
    [
      ["--url", "http://a.test", "--url", "b.test", "--enable-mcp-adapter", "--bind", "stdio"],
      "a.test:80,b.test:443",
      [],
    ],
    [
      ["--url", "a.test", "--enable-mcp-adapter", "--serve-cert", "../c", "--serve-key", "../k"],
      "a.test:443,127.0.0.1:5080",
      ["c", "k"],
    ],
    [["--url", "a.test", "--cacert", "../ca"], "a.test:443", ["ca"]],
  ];

Deno.test("bowire permissions open allows what is reached, served and read, and no more", async () => {
  await using home = await Home.make();
  await Promise.all(PLANNED.map(async ([args, net, files]) => {
    const { code, stdout, stderr } = await runBowire(home, [
      "permissions",
      "--json",
      "open",
      ...args,
    ]);
    strictEqual(code, 0, stderr);
    const { permissions } = JSON.parse(stdout);
    deepStrictEqual(permissions.net, net.split(","));
    const read = permissions.read.map((path: string) => path.split("/").at(-1));
    deepStrictEqual(files.filter((file) => !read.includes(file)), [], args.join(" "));
  }));
});

/** A command line that starts a server. */
const COMMAND = [EVERYTHING.command, ...EVERYTHING.args].map((word) => `'${word}'`).join(" ");

Deno.test({
  name: "bowire --mcp-command shows what an MCP server offers, and with the adapter serves it",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    const flags = [...flagsFor(home), `--allow-run=${EVERYTHING.command}`];
    const shown = await runBowire(home, ["--mcp-command", COMMAND], { flags });
    strictEqual(shown.code, 0, shown.stderr);
    match(shown.stdout, /^ {2}echo\b/m);

    const args = ["--mcp-command", COMMAND, "--enable-mcp-adapter", "--bind", "stdio"];
    const printed = await runBowire(home, ["permissions", "--json", "open", ...args]);
    deepStrictEqual(JSON.parse(printed.stdout).permissions.run, [EVERYTHING.command]);
    await using agent = new Conversation(startBowire(home, args, { flags }));
    await agent.initialize();
    const { result } = await agent.request("tools/list");
    const names = Object(result).tools.map(({ name }: { name: string }) => name);
    const echo = names.find((name: string) => /_echo$/.test(name));
    const said = await agent.call(echo, { message: "ahoy" });
    match(said.content[0]?.text ?? "", /ahoy/);
    strictEqual((await agent.finish()).code, 0);
  },
});

Deno.test({
  name: "an MCP server over HTTP is an API of the adapter like any other, progress included",
  ignore: !HAS_PEERS,
  async fn() {
    await using home = await Home.make();
    await using everything = await startEverything();
    await using shop = openShop();
    const args = ["--url", `mcp@${everything.mcpUrl}`, "--url", shop.url];
    await using agent = new Conversation(
      startBowire(home, [...args, "--enable-mcp-adapter", "--bind", "stdio"], {}),
    );
    await agent.initialize();
    const { result } = await agent.request("tools/list");
    const names: string[] = Object(result).tools.map(({ name }: { name: string }) => name);
    ok(names.includes("pets_listPets"), `${names}`);
    const named = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? `${pattern}`;
    const sum = await agent.call(named(/_get-sum$/), { a: 2, b: 3 });
    match(JSON.stringify(sum), /\b5\b/);
    const id = await agent.start("tools/call", {
      name: named(/_trigger-long-running-operation$/),
      arguments: { duration: 0.2, steps: 2 },
      _meta: { progressToken: "p" },
    });
    const steps = [await agent.next(), await agent.next()].map(({ method, params }) => [
      method,
      params?.["progressToken"],
      params?.["progress"],
    ]);
    deepStrictEqual(steps, [["notifications/progress", "p", 1], [
      "notifications/progress",
      "p",
      2,
    ]]);
    match(JSON.stringify((await agent.answerTo(id)).result), /completed/);
  },
});
