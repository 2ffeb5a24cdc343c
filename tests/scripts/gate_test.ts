import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { makeTree } from "./tree.ts";

const GATE = new URL("../../scripts/gate.ts", import.meta.url);

/** Runs the gate of a tree, whose steps then see that tree only. */
async function runGate(root: string, only: string): Promise<{ code: number; output: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-prompt",
      "--no-config",
      "--allow-run",
      "--allow-env=BOWIRE_JUNIT",
      `${root}/scripts/gate.ts`,
      "--only",
      only,
    ],
    env: { BOWIRE_JUNIT: `${root}/junit.xml` },
  }).output();
  const decoder = new TextDecoder();
  return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

async function makeProject(files: Readonly<Record<string, string>>) {
  const gate = await Deno.readTextFile(GATE);
  return await makeTree({ "deno.json": "{}\n", "scripts/gate.ts": gate, ...files });
}

Deno.test("gate runs the steps named, in its own order, and sums up", async () => {
  await using project = await makeProject({
    "a_test.ts": 'Deno.test("a", () => {});\nDeno.test.ignore("b", () => {});\n',
  });
  const { code, output } = await runGate(project.root, "test,check");
  strictEqual(code, 0, output);
  deepStrictEqual([...output.matchAll(/^--- (\w+): ok \(/gm)].map(([, name]) => name), [
    "check",
    "test",
  ]);
  match(output, /^gate: ok, 2 steps$/m);
  match(await Deno.readTextFile(`${project.root}/junit.xml`), /<testsuites [^>]*tests="2"/);
});

Deno.test("gate stops at the first step that fails and names it", async () => {
  await using project = await makeProject({ "a.ts": "let  a: string = 1" });
  const { code, output } = await runGate(project.root, "fmt,lint,check");
  strictEqual(code, 1);
  match(output, /a\.ts/);
  match(output, /--- fmt: FAILED \(.*\ngate: FAILED at fmt, after 0 of 3 steps\n/);
});

Deno.test("gate refuses a step that it does not have and lists those it has", async () => {
  await using project = await makeProject({});
  const { code, output } = await runGate(project.root, "fmt,spell");
  deepStrictEqual([code, output], [
    2,
    'gate: there is no step "spell"; the steps are fmt, lint, check, layers, sizes, doc, peers, ' +
    "test, tools, publish\n",
  ]);
});
