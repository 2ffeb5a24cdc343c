// deno-lint-ignore-file no-console -- a bench prints its table
/**
 * What it costs to run plugins in a worker, beside the same in the main thread, taken in turns in one
 * run: calls, the start of a worker, and the discovery of GitHub's document, 13 MB, when
 * `deno task bench:documents` has installed it.
 *
 * Aims: 0.3 ms more for a call (median), 60 ms for the start of a bundled worker that has loaded
 * gRPC's library.
 *
 * Run: `deno task bench` (installs that library first)
 *
 * @module
 */
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleModules } from "../bundle.ts";
import { median } from "./numbers.ts";
import { measure, serve } from "./processes.ts";
import type { CallCosts } from "./worker/calls.ts";
import { MODULE } from "./worker/dialers.ts";
import type { DiscoveryCost } from "./worker/discover.ts";
import type { WorkerCost } from "./worker/start.ts";

const START_ROUNDS = 9;
const DISCOVERY_ROUNDS = 3;
const PROGRAMS = fileURLToPath(new URL("../../tests/peers/programs", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../corpus/documents/node_modules", import.meta.url));
const DOCUMENT = `${PACKAGES}/@octokit/openapi/generated/api.github.com.json`;

/** What is measured beside others. */
interface Candidate {
  readonly label: string;
  /** Of the program that measures. */
  readonly args: readonly string[];
}

/** One line of a table. */
interface Row {
  readonly label: string;
  /** What the ratio to the first line is made of; it stands before the other cells. */
  readonly medianMs: number;
  readonly cells: readonly string[];
}

const folder = await Deno.makeTempDir();
try {
  await compareCalls();
  await compareStarts();
  await compareDiscoveries();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function compareCalls(): Promise<void> {
  const file = `${folder}/item.json`;
  await Deno.writeTextFile(file, '{"id":7,"name":"a small answer"}');
  await using server = await serve(file);
  const { get, nothing } = await run<CallCosts>("calls.ts", [server.url]);
  printCalls("GET of a small answer", get);
  printCalls("call that does nothing", nothing);
}

function printCalls(title: string, { local, sandbox }: CallCosts["get"]): void {
  const rows = [{ label: "main thread", cost: local }, { label: "worker", cost: sandbox }];
  print(
    title,
    ["p50", "p99", "16 at once"],
    rows.map(({ label, cost: { p50Ms, p99Ms, perSecond } }) => ({
      label,
      medianMs: p50Ms,
      cells: [inMs(p99Ms), `${perSecond.toFixed(0)}/s`],
    })),
  );
  console.log(`  added (p50) ${inMs(sandbox.p50Ms - local.p50Ms).padStart(38)}`);
}

async function compareStarts(): Promise<void> {
  await bundleModules([fileURLToPath(MODULE)], { folder });
  await bundleModules(["node_modules/@grpc/grpc-js/build/src/index.js"], {
    folder,
    from: PROGRAMS,
  });
  // The worker gives up its environment first, as it does before it loads a plugin.
  await Deno.writeTextFile(`${folder}/grpc.js`, 'import "./module.js";\nimport "./index.js";\n');
  const costs = await takeTurns<WorkerCost>([
    { label: "TypeScript", args: [MODULE.href] },
    { label: "bundled", args: [pathToFileURL(`${folder}/module.js`).href] },
    { label: "bundled, with grpc-js", args: [pathToFileURL(`${folder}/grpc.js`).href] },
  ], { rounds: START_ROUNDS, program: "start.ts" });
  const rows = costs.map(({ label, runs }) => ({
    label,
    medianMs: medianOf(runs, ({ firstMs }) => firstMs),
    cells: [
      inMs(medianOf(runs, ({ nextMs }) => nextMs)),
      `${(medianOf(runs, ({ bytesEach }) => bytesEach) / 1e6).toFixed(1)} MB`,
    ],
  }));
  print("start of a worker, to its first answer", ["first", "others", "RSS each"], rows);
}

async function compareDiscoveries(): Promise<void> {
  const isThere = await Deno.stat(DOCUMENT).then(() => true, () => false);
  if (!isThere) return console.log("discovery: skipped, deno task bench:documents installs it");
  await using server = await serve(DOCUMENT, "etag");
  const costs = await takeTurns<DiscoveryCost>([
    { label: "main thread", args: [server.url, "local"] },
    { label: "worker", args: [server.url, "sandbox"] },
  ], { rounds: DISCOVERY_ROUNDS, program: "discover.ts" });
  const rows = costs.map(({ label, runs }) => ({
    label,
    medianMs: medianOf(runs, ({ firstMs }) => firstMs),
    cells: [inMs(medianOf(runs, ({ againMs }) => againMs))],
  }));
  print("discovery of GitHub's document", ["first", "again"], rows);
}

/** Runs a program of the bench in a process of its own. */
function run<Measured>(program: string, args: readonly string[]): Promise<Measured> {
  const path = fileURLToPath(new URL(`worker/${program}`, import.meta.url));
  const permissions = ["--ignore-env", "--allow-read", "--allow-net=127.0.0.1"];
  return measure(["--cached-only", ...permissions, path, ...args]);
}

/** Runs a program for each candidate, round after round. */
async function takeTurns<Measured>(
  candidates: readonly Candidate[],
  { rounds, program }: { rounds: number; program: string },
): Promise<{ label: string; runs: Measured[] }[]> {
  const results = candidates.map(({ label, args }) => ({
    label,
    args,
    runs: new Array<Measured>(),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const { args, runs } of results) runs.push(await run(program, args));
  }
  return results;
}

function print(title: string, heads: readonly string[], rows: readonly Row[]): void {
  console.log(`\n${title.padEnd(40)}${heads.map(column).join("")}   ratio`);
  for (const { label, medianMs, cells } of rows) {
    const ratio = (medianMs / (rows[0]?.medianMs ?? NaN)).toFixed(2);
    const columns = [inMs(medianMs), ...cells].map(column).join("");
    console.log(`  ${label.padEnd(38)}${columns}${ratio.padStart(8)}`);
  }
}

function column(text: string): string {
  return text.padStart(12);
}

/** With as many digits as count: calls and discoveries are far apart. */
function inMs(value: number): string {
  return `${value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0)} ms`;
}

function medianOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return median(items.map(numberOf));
}
