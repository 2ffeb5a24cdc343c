import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { checkSizes } from "../../scripts/check_sizes.ts";
import { makeTree, runScript } from "./tree.ts";

function lines(count: number): string {
  return "// a line\n".repeat(count);
}

async function report(files: Readonly<Record<string, string>>) {
  await using tree = await makeTree(files);
  return await checkSizes(tree.root);
}

Deno.test("checkSizes fails a source file over 350 lines and warns from 181", async () => {
  const { warnings, offences } = await report({
    "lib/gate/a.ts": lines(180),
    "lib/gate/b.ts": lines(181),
    "lib/gate/c.ts": lines(350),
    "lib/gate/d.ts": lines(351),
  });
  deepStrictEqual(offences, ["lib/gate/d.ts:351: the file has 351 lines; at most 350 are allowed"]);
  deepStrictEqual(warnings.map((line) => line.split(":")[0]), [
    "lib/gate/b.ts",
    "lib/gate/c.ts",
    "lib/gate/d.ts",
  ]);
});

Deno.test("checkSizes fails a test over 600 lines, wherever it stands", async () => {
  const { warnings, offences } = await report({
    "tests/lib/a_test.ts": lines(600),
    "tests/fakes/b.ts": lines(601),
    "samples/one/c_test.ts": lines(601),
  });
  deepStrictEqual(offences.map((line) => line.split(":")[0]), [
    "samples/one/c_test.ts",
    "tests/fakes/b.ts",
  ]);
  deepStrictEqual(warnings, []);
});

/** The body gives a function of 71 lines, head and closing brace included. */
const LONG = "  step();\n".repeat(69);
const TOO_LONG: readonly [name: string, text: string][] = [
  ["plain", `function plain(a: number) {\n${LONG}}`],
  ["typed", `export async function typed<T>(a: T): Promise<{ a: T }> {\n${LONG}}`],
  ["predicate", `function predicate(a: unknown): a is { b: string } {\n${LONG}}`],
  ["union", `function union(): { a: 1 } | { b: 2 } | undefined {\n${LONG}}`],
  ["arrow", `const arrow = async (a = "{", { b }: C = {}) => {\n${LONG}};`],
  ["typedArrow", `const typedArrow = (a: () => void): Map<string, () => A> => {\n${LONG}};`],
  ["method", `class A {\n  static async method(): Promise<void> {\n${LONG}  }\n}`],
  ["#hidden", `class A {\n  *#hidden(a: string): Generator<string> {\n${LONG}  }\n}`],
  ["constructor", `class A {\n  constructor(readonly a: string) {\n${LONG}  }\n}`],
  ["property", `export const b = {\n  property(a: string): string {\n${LONG}  },\n};`],
  ["a function", `run("name", () => {\n${LONG}});`],
  ["a function", `run(function () {\n${LONG}});`],
];

for (const [name, text] of TOO_LONG) {
  Deno.test(`checkSizes fails a function over 70 lines: ${text.split("\n  step")[0]}`, async () => {
    const { offences } = await report({
      "lib/a.ts": text,
      "lib/b.ts": text.replace(/ +step.*\n/, ""),
    });
    strictEqual(offences.length, 1, offences.join("\n"));
    strictEqual(
      offences[0]?.replace(/:\d+:/, ":"),
      `lib/a.ts: ${name} has 71 lines; at most 70 are allowed`,
    );
  });
}

Deno.test("checkSizes takes no class, interface, loop or text for a function", async () => {
  const { offences } = await report({
    "lib/a.ts": [
      `export class A extends B {\n${"  a = 1;\n".repeat(80)}}`,
      `if (a) {\n${LONG}${LONG}}`,
      `for await (const a of b(c)) {\n${LONG}${LONG}}`,
      `interface D {\n  e(f: string): void;\n${"  a: number;\n".repeat(80)}}`,
      `const text = "function (a) {";\n// function g() {\n${LONG}${LONG}`,
      `const value = isOn(a) ? { b: 1 } : {\n${"  a: 1,\n".repeat(80)}};`,
      `export const table: Record<string, (a: string) => void> = {\n${"  a: b,\n".repeat(80)}};`,
    ].join("\n"),
  });
  deepStrictEqual(offences.slice(1), []);
  match(offences[0] ?? "", /^lib\/a\.ts:351: the file has/);
});

Deno.test("checkSizes fails a folder over 14 files; tests/peers may hold more", async () => {
  const fill = (folder: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${n}.ts`, ""]));
  const { offences } = await report({
    ...fill("lib/gate", 14),
    ...fill("tests/lib/host", 15),
    ...fill("tests/peers", 15),
    ...fill("tests/peers/node_modules/x", 15),
    "tests/lib/host/notes.md": "",
  });
  deepStrictEqual(offences, ["tests/lib/host/: the folder has 15 files; at most 14 are allowed"]);
});

Deno.test("check_sizes ends with a summary and exit code 1 only after an offence", async () => {
  await using good = await makeTree({ "lib/gate/a.ts": lines(181) });
  await using bad = await makeTree({ "lib/gate/a.ts": lines(351) });
  const passed = await runScript("check_sizes.ts", good.root);
  const failed = await runScript("check_sizes.ts", bad.root);
  deepStrictEqual([passed.code, failed.code], [0, 1]);
  match(passed.stderr, /^long: lib\/gate\/a\.ts: .*\nsizes: 1 files, 1 long, 0 offences\n$/);
  match(failed.stderr, /351 lines; at most 350.*\nsizes: 1 files, 1 long, 1 offences\n$/s);
});
