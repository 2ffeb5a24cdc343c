import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";
import { VERSION } from "../../lib/version.ts";

const COMMANDS = [
  "discover",
  "list",
  "describe",
  "call",
  "allowlist",
  "env",
  "mcp",
  "permissions",
  "version",
  "complete",
];

Deno.test("bowire --help lists every command and the exit codes", async () => {
  await using home = await Home.make();
  const { code, stdout, stderr } = await runBowire(home, ["--help"]);
  deepStrictEqual([code, stderr], [0, ""]);
  for (const command of COMMANDS) match(stdout, new RegExp(`^  ${command}\\b`, "m"));
  match(stdout, /Exit codes:[\s\S]*0 {4}it worked[\s\S]*130 {2}interrupted/);
});

for (
  const words of [
    ...COMMANDS.map((command) => [command]),
    ["allowlist", "show"],
    ["allowlist", "permit"],
    ["env", "list"],
    ["env", "get"],
    ["mcp", "serve"],
  ]
) {
  Deno.test(`bowire ${words.join(" ")} --help tells its usage`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await runBowire(home, [...words, "--help"]);
    deepStrictEqual([code, stderr], [0, ""]);
    ok(stdout.startsWith(`Usage: bowire ${words.join(" ")}`), stdout);
  });
}

Deno.test("bowire without a command shows the help on stderr and ends with 1", async () => {
  await using home = await Home.make();
  const { code, stdout, stderr } = await runBowire(home, []);
  deepStrictEqual([code, stdout], [1, ""]);
  match(stderr, /^Usage: bowire/);
});

for (
  const [args, message] of [
    [["discver"], /unknown command 'discver'\n\(Did you mean discover\?\)/],
    [
      ["list", "--urll", "http://127.0.0.1:9", "--url", "x"],
      /unknown option '--urll'\n\(Did you mean --url\?\)/,
    ],
    [["allowlist", "shw"], /unknown command 'shw'\n\(Did you mean show\?\)/],
    [["discover"], /there is no URL/],
    [["call", "--url", "http://127.0.0.1:9"], /missing required argument 'method'/],
    [["env", "get"], /missing required argument 'id'/],
    [["list", "a", "b", "--url", "http://127.0.0.1:9"], /too many arguments/],
    [["mcp", "serve", "--bind", "pigeon"], /Allowed choices are stdio, http/],
    [["mcp", "serve", "--port", "70000"], /'70000' is invalid/],
    [["mcp", "serve", "--tool-names", "loud"], /Allowed choices are auto, dotted, underscore/],
  ] as const
) {
  Deno.test(`bowire ${args.join(" ")} ends with 1 and says what is wrong`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await runBowire(home, args);
    deepStrictEqual([code, stdout], [1, ""]);
    match(stderr, message);
    ok(!/\.ts:\d|\n +at /.test(stderr), `it shows its inside: ${stderr}`);
  });
}

Deno.test("bowire version and --version name the version and what it runs on", async () => {
  await using home = await Home.make();
  strictEqual((await runBowire(home, ["--version"])).stdout, `bowire ${VERSION}\n`);
  const { stdout } = await runBowire(home, ["version"]);
  match(stdout, new RegExp(`^bowire +${VERSION}\ndeno +${Deno.version.deno}\n`));
  const { stdout: json } = await runBowire(home, ["version", "--json", "--plugins"]);
  const { bowire, protocols } = JSON.parse(json);
  strictEqual(bowire, VERSION);
  ok(protocols.some(({ id }: { id: string }) => id === "rest"));
});

Deno.test("bowire finds its home folder in HOME when BOWIRE_DATA_DIR is empty", async () => {
  await using home = await Home.make();
  await Deno.mkdir(home.file(".bowire"));
  await home.put(".bowire/environments.json", [{ id: "old", name: "From HOME" }]);
  // Deno's own cache must still be found when HOME moves.
  const info = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(info.stdout));
  const env = { BOWIRE_DATA_DIR: "", HOME: home.path, DENO_DIR: denoDir };
  const { code, stdout, stderr } = await runBowire(home, ["env", "list"], { env });
  strictEqual(code, 0, stderr);
  match(stdout, /old +From HOME/);
});

Deno.test("--allow-url is offered where a call goes out, and nowhere else", async () => {
  await using home = await Home.make();
  const offers = async (...verb: string[]) =>
    (await runBowire(home, [...verb, "--help"])).stdout.includes("--allow-url");
  deepStrictEqual([await offers("call"), await offers("describe")], [true, true]);
  deepStrictEqual([await offers("env", "list"), await offers("allowlist", "permit")], [
    false,
    false,
  ]);
});
