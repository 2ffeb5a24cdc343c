// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Calls through the worker and in this thread, in turns, and prints what they took, as JSON.
 *
 * Run: `deno run --allow-read --allow-net=127.0.0.1 calls.ts URL`
 *
 * @module
 */
import type { Dialer } from "../../../lib/protocol/mod.ts";
import { median, quantile } from "../numbers.ts";
import { type Exercise, newScope, openBench } from "./dialers.ts";

const ROUNDS = 10;
/** Calls of one turn, one after the other and then with so many at once. */
const CALLS = 200;
const AT_ONCE = 16;

/** What one kind of call took by one dialer. */
export interface CallCost {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** With 16 at once. */
  readonly perSecond: number;
}

/** By the name of the exercise and that of the dialer. */
export type CallCosts = Record<"get" | "nothing", Record<DialerName, CallCost>>;

type DialerName = "local" | "sandbox";

/** The calls of one dialer before the other has its turn. */
interface Turn {
  readonly latenciesMs: readonly number[];
  readonly perSecond: number;
}

async function timeOne(dialer: Dialer, { protocol, call }: Exercise): Promise<number> {
  const startedMs = performance.now();
  const { ok } = await dialer.invoke(protocol, call, newScope());
  if (!ok) throw new Error("a call failed");
  return performance.now() - startedMs;
}

async function takeTurn(dialer: Dialer, exercise: Exercise): Promise<Turn> {
  const latenciesMs: number[] = [];
  for (let n = 0; n < CALLS; n++) latenciesMs.push(await timeOne(dialer, exercise));
  const startedMs = performance.now();
  let left = CALLS;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (left-- > 0) await timeOne(dialer, exercise);
  }));
  return { latenciesMs, perSecond: CALLS / (performance.now() - startedMs) * 1000 };
}

async function compare(
  exercise: Exercise,
  dialers: Record<DialerName, Dialer>,
): Promise<Record<DialerName, CallCost>> {
  const turns: Record<DialerName, Turn[]> = { local: [], sandbox: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["local", "sandbox"] as const) {
      const turn = await takeTurn(dialers[name], exercise);
      if (round > 0) turns[name].push(turn); // the first warms up
    }
  }
  return { local: costOf(turns.local), sandbox: costOf(turns.sandbox) };
}

function costOf(turns: readonly Turn[]): CallCost {
  const latenciesMs = turns.flatMap((turn) => turn.latenciesMs);
  return {
    p50Ms: median(latenciesMs),
    p99Ms: quantile(latenciesMs, 0.99),
    perSecond: median(turns.map(({ perSecond }) => perSecond)),
  };
}

const { get, nothing, ...dialers } = openBench(Deno.args[0] ?? "");
const costs: CallCosts = {
  get: await compare(get, dialers),
  nothing: await compare(nothing, dialers),
};
console.log(JSON.stringify(costs));
Deno.exit(); // the time limits of the last calls go on
