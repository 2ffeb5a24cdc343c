// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Discovers a document again and again, through the worker or in this thread, and prints what it
 * took, as JSON.
 *
 * Run: `deno run --allow-read --allow-net=127.0.0.1 discover.ts URL local|sandbox`
 *
 * @module
 */
import { median } from "../numbers.ts";
import { newScope, openBench } from "./dialers.ts";

const AGAIN = 9;

/** What discoveries cost. */
export interface DiscoveryCost {
  /** The first of the process. */
  readonly firstMs: number;
  /** The median of the others. */
  readonly againMs: number;
}

const [url = "", name] = Deno.args;
const bench = openBench(url);
const dialer = name === "sandbox" ? bench.sandbox : bench.local;

async function discover(): Promise<number> {
  const startedMs = performance.now();
  const { protocol, call: { target } } = bench.get;
  const request = { target, metadata: {}, showInternal: false };
  const { services } = await dialer.discover(protocol, request, newScope());
  if (services.length === 0) throw new Error("nothing was found");
  return performance.now() - startedMs;
}

const firstMs = await discover();
const againMs: number[] = [];
for (let n = 0; n < AGAIN; n++) againMs.push(await discover());
const cost: DiscoveryCost = { firstMs, againMs: median(againMs) };
console.log(JSON.stringify(cost));
Deno.exit(); // the time limits of the calls go on
