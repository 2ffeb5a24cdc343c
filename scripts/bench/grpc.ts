// deno-lint-ignore-file no-console -- a bench prints its tables
/**
 * gRPC, against the harbour of `samples/grpc_target` in a process of its own: one call of a bundled
 * Bowire beside `buf curl`, both by reflection; calls over stdio MCP beside bare grpc-js; and the
 * memory that calls and cancelled streams leave behind with the worker on.
 *
 * Aims: three times `buf curl`; 1 ms more for a call; memory that does not grow.
 *
 * Run: `deno task bench:grpc` (installs buf first); `--one-shots` measures only the first
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { Home } from "../../tests/fakes/home.ts";
import { startNodeHarbour } from "../../tests/peers/node_grpc.ts";
import { startStdio } from "../../tests/fakes/conversation.ts";
import { bundle } from "../bundle.ts";
import { measureCalls } from "./grpc/calls.ts";
import { startHarbourProcess } from "./grpc/harbour.ts";
import type { MemorySample } from "./grpc/memory.ts";
import { measureOneShots } from "./grpc/one_shots.ts";
import { median, quantile } from "./numbers.ts";
import { measure } from "./processes.ts";

await using home = await Home.make();
await bundle(home.file("bundle"));
await using harbour = await startHarbourProcess();
const main = home.file("bundle/main.js");
const flags = [
  "--no-config",
  "--unstable-worker-options",
  "--no-prompt",
  "--ignore-env",
  "--allow-env=BOWIRE_*,HOME,USERPROFILE",
  `--allow-read=${home.path}`,
  `--allow-write=${home.path}`,
  `--allow-net=${new URL(harbour.url).host}`,
];
await compareOneShots();
if (!Deno.args.includes("--one-shots")) {
  await compareCalls();
  await watchMemory(harbour.url, { what: "calls", count: 10_000 });
  // A server of HTTP/2 on Deno 2.9.6 does not outlive that many streams that are left.
  await using onNode = await startNodeHarbour();
  await watchMemory(onNode.url, { what: "streams", count: 1_000 });
}

async function compareOneShots(): Promise<void> {
  const program = ["run", ...flags, main];
  const shots = await measureOneShots(harbour.url, { program, home: home.path });
  const reference = median(shots[0]?.runsMs ?? []);
  print(
    "one unary call by reflection, a process each",
    ["min", "median", "max", "ratio"],
    shots.map(({ label, runsMs }) => [
      label,
      ...[Math.min(...runsMs), median(runsMs), Math.max(...runsMs)].map(inMs),
      (median(runsMs) / reference).toFixed(2),
    ]),
  );
}

async function compareCalls(): Promise<void> {
  await using bowire = startStdio(home, ["--allow-url", harbour.url, "--sandbox", "worker"], {
    flags,
    main,
  });
  await bowire.initialize("bench");
  const { bareMs, bowireMs } = await measureCalls(harbour.url, bowire);
  const figures = (timesMs: readonly number[]) => [
    median(timesMs),
    meanOf(timesMs),
    quantile(timesMs, 0.99),
  ];
  const [bare, through] = [figures(bareMs), figures(bowireMs)];
  print(`${bareMs.length} unary calls, one after the other`, ["p50", "mean", "p99"], [
    ["grpc-js and protobuf-es alone", ...bare.map(inMs)],
    ["bowire.invoke over stdio", ...through.map(inMs)],
    ["added", ...through.map((value, index) => inMs(value - (bare[index] ?? NaN)))],
  ]);
}

async function watchMemory(
  url: string,
  { what, count }: { what: "calls" | "streams"; count: number },
): Promise<void> {
  const program = fileURLToPath(new URL("grpc/memory.ts", import.meta.url));
  const samples = await measure<MemorySample[]>([
    "--cached-only",
    "--v8-flags=--expose-gc",
    "--ignore-env",
    "--allow-read",
    `--allow-write=${home.path}`,
    "--allow-net=127.0.0.1",
    program,
    url,
    what,
    String(count),
    home.path,
  ]);
  const cellsOf = ({ rss, mainHeap, workerHeap }: MemorySample) => [rss, mainHeap, workerHeap];
  const growth = (since: number) =>
    cellsOf(sampleAt(samples, -1)).map((size, index) =>
      inMb(size - (cellsOf(sampleAt(samples, since))[index] ?? NaN))
    );
  print(
    what === "calls" ? "memory over unary calls" : "memory over streams left after 2 messages",
    ["RSS", "main heap", "worker heap"],
    [
      ...samples.map((sample) => [`after ${sample.calls}`, ...cellsOf(sample).map(inMb)]),
      ["growth since the first", ...growth(0)],
      ["growth in the second half", ...growth(-2)],
    ],
  );
}

function sampleAt(samples: readonly MemorySample[], index: number): MemorySample {
  const sample = samples.at(index);
  if (sample === undefined) throw new Error("the program took no samples");
  return sample;
}

function print(title: string, heads: readonly string[], rows: readonly string[][]): void {
  console.log(`\n${title.padEnd(46)}${heads.map(column).join("")}`);
  for (const [label = "", ...cells] of rows) {
    console.log(`  ${label.padEnd(44)}${cells.map(column).join("")}`);
  }
}

function column(text: string): string {
  return text.padStart(13);
}

function inMs(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}

function inMb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
