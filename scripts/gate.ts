// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Runs everything that must hold before a change is handed over, step after step, and stops at
 * the first that fails.
 *
 * Run: `deno run --allow-run --allow-env=BOWIRE_JUNIT scripts/gate.ts [--only fmt,lint]`
 *
 * With `BOWIRE_JUNIT` set, the tests write a JUnit report to that path.
 *
 * @module
 */
import { parseArgs } from "node:util";

const junit = Deno.env.get("BOWIRE_JUNIT");

/** Arguments of the Deno that runs this script; without a shell, for they run on Windows too. */
const STEPS: readonly (readonly [name: string, ...args: string[]])[] = [
  ["fmt", "fmt", "--check"],
  ["lint", "lint"],
  ["check", "check", "--cached-only"],
  ["layers", "run", "--no-prompt", "--allow-read=.", "scripts/check_layers.ts"],
  ["sizes", "run", "--no-prompt", "--allow-read=.", "scripts/check_sizes.ts"],
  ["doc", "doc", "--lint", "main.ts", "mod.ts"],
  ["peers", "run", "--no-prompt", "--allow-run", "scripts/peers.ts"],
  [
    "test",
    "test",
    "--cached-only",
    "--doc",
    "--allow-all",
    ...(junit === undefined ? [] : [`--junit-path=${junit}`]),
  ],
  [
    "tools",
    "run",
    "--cached-only",
    "--no-prompt",
    "--ignore-env",
    "--allow-read=.",
    "scripts/tool_reference.ts",
    "--check",
  ],
  ["publish", "publish", "--dry-run", "--allow-dirty"],
];

/** Runs one step with this terminal; true when it succeeded. */
async function runStep([name, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  console.log(`--- ${name}: deno ${args.join(" ")}`);
  const started = performance.now();
  const { success } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: new URL("..", import.meta.url),
    stdin: "null",
  }).spawn().status;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`--- ${name}: ${success ? "ok" : "FAILED"} (${seconds} s)`);
  return success;
}

/** The exit code. */
async function runGate(only: readonly string[] | undefined): Promise<number> {
  const names = STEPS.map(([name]) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    console.error(`gate: there is no step "${unknown}"; the steps are ${names.join(", ")}`);
    return 2;
  }
  const steps = STEPS.filter(([name]) => only?.includes(name) ?? true);
  for (const [done, step] of steps.entries()) {
    if (await runStep(step)) continue;
    console.log(`gate: FAILED at ${step[0]}, after ${done} of ${steps.length} steps`);
    return 1;
  }
  console.log(`gate: ok, ${steps.length} steps`);
  return 0;
}

const { values } = parseArgs({ options: { only: { type: "string" } } });
Deno.exitCode = await runGate(values.only?.split(","));
