import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { runBowire } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";

for (
  const [shell, mark] of [
    ["bash", "# bash completion for bowire"],
    ["zsh", "#compdef bowire"],
    ["fish", "complete -c bowire"],
    ["powershell", "Register-ArgumentCompleter"],
  ] as const
) {
  Deno.test(`bowire complete ${shell} prints a script`, async () => {
    await using home = await Home.make();
    const { code, stdout, stderr } = await runBowire(home, ["complete", shell]);
    deepStrictEqual([code, stderr], [0, ""]);
    ok(stdout.includes(mark), stdout.slice(0, 300));
  });
}

Deno.test("the bash script is one that bash understands", async () => {
  await using home = await Home.make();
  const { stdout } = await runBowire(home, ["complete", "bash"]);
  const file = await home.put("bowire.bash", stdout);
  const { code, stderr } = await new Deno.Command("bash", { args: ["-n", file] }).output();
  strictEqual(code, 0, new TextDecoder().decode(stderr));
});

for (
  const [words, expected] of [
    [[""], ["discover", "call", "mcp"]],
    [["disc"], ["discover"]],
    [["call", "--"], ["--url", "--data", "--header", "--json"]],
    [["mcp", "serve", "--"], ["--bind", "--token-file", "--allow-url"]],
    [["permissions", "--"], ["--check", "--format", "--json"]],
    [["permissions", "--format", ""], ["flags", "deno-json"]],
    [["permissions", ""], ["discover", "call", "mcp"]],
    [["permissions", "--check", "mcp", "serve", "--"], ["--bind", "--allow-url"]],
  ] as const
) {
  Deno.test(`bowire complete -- ${words.join(" ")} suggests ${expected[0]}`, async () => {
    await using home = await Home.make();
    const { code, stdout } = await runBowire(home, ["complete", "--", ...words]);
    strictEqual(code, 0);
    const suggested = stdout.split("\n").map((line) => line.split("\t")[0]);
    for (const word of expected) ok(suggested.includes(word), stdout);
    match(stdout, /^:\d+$/m);
  });
}
