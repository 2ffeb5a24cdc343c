// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Starts workers, each up to the answer to its first call, which does nothing. Prints what the
 * first took, what the others took, and how much memory each added to the process, as JSON.
 *
 * Run: `deno run --allow-read --allow-net=127.0.0.1 start.ts MODULE`
 *
 * @module
 */
import { median } from "../numbers.ts";
import { newScope, openBench } from "./dialers.ts";

const OTHERS = 10;

/** What workers cost. */
export interface WorkerCost {
  /** The first of the process, in milliseconds. */
  readonly firstMs: number;
  /** The median of the others, in milliseconds. */
  readonly nextMs: number;
  /** Of the others, in bytes. */
  readonly bytesEach: number;
}

async function startOne(): Promise<number> {
  const startedMs = performance.now();
  // Nobody is asked there.
  const { sandbox, nothing } = openBench("http://127.0.0.1:9", new URL(Deno.args[0] ?? ""));
  await sandbox.invoke(nothing.protocol, nothing.call, newScope());
  return performance.now() - startedMs;
}

const firstMs = await startOne();
const before = Deno.memoryUsage().rss;
const othersMs: number[] = [];
for (let n = 0; n < OTHERS; n++) othersMs.push(await startOne());
const bytesEach = (Deno.memoryUsage().rss - before) / OTHERS;
const cost: WorkerCost = { firstMs, nextMs: median(othersMs), bytesEach };
console.log(JSON.stringify(cost));
Deno.exit(); // they are all still there
