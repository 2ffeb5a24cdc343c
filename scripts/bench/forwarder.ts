// deno-lint-ignore-file no-console -- a bench prints its tables
/**
 * The forwarder beside gateways of others, taken in turns: what a call of a tool takes through each,
 * over HTTP and over stdio, and what it takes more than the same call of the parent. Then how many
 * calls a second one core answers: of Bowire's own server, of the parent, and of the forwarder.
 *
 * Of the others, none relays from HTTP to HTTP by itself: supergateway and mcp-remote stand behind a
 * supergateway, and mcp-proxy has the parent's program over stdio.
 *
 * Aims: an added 0.6 ms at most over HTTP and 1 ms over stdio, in the middle; 2,500 calls a second.
 *
 * Run: `deno task bench:forwarder` (installs the programs first)
 *
 * @module
 */
import { Home } from "../../tests/fakes/home.ts";
import { type Ground, RELAYS_OVER_STDIO, SET_UPS } from "../conformance/set_ups.ts";
import { type Caller, callOverHttp, callOverStdio } from "./forwarder/callers.ts";
import { PARENT, rates } from "./forwarder/rates.ts";
import { median, quantile } from "./numbers.ts";
import { startAnnounced } from "./processes.ts";

const ROUNDS = 20;
/** Calls of one way in a round. */
const CALLS = 50;

await using home = await Home.make();
await using kept = new AsyncDisposableStack();
const ground: Ground = {
  home,
  keep: (it) => kept.use(it),
  startParent: async () => kept.use(await startAnnounced(PARENT)).line,
};
const parent = await ground.startParent();

const direct = { name: "the parent itself", caller: await callOverHttp(parent) };
const overHttp = [
  ["bowire --attach", "attach http"],
  ["supergateway, stdio behind it", "supergateway"],
  ["mcp-proxy, stdio behind it", "mcp-proxy"],
  ["supergateway, twice", "supergateway behind supergateway"],
  ["mcp-remote behind supergateway", "mcp-remote behind supergateway"],
] as const;
const ways = await Promise.all(overHttp.map(async ([name, setUp]) => {
  const start = SET_UPS[setUp];
  if (start === undefined) throw new RangeError(`"${setUp}" is no set-up`);
  return { name, caller: await callOverHttp(await start(ground)) };
}));
await compare("HTTP", [direct, ...ways]);

const relays = await Promise.all(
  Object.entries(RELAYS_OVER_STDIO).map(async ([relay, commandOf]) => {
    const caller = await callOverStdio(commandOf(ground, parent));
    return { name: relay.replace("attach stdio", "bowire --attach"), caller: kept.use(caller) };
  }),
);
await compare("stdio", [direct, ...relays]);

console.log("calls a second on one core");
for (const [name, rate] of await rates(home)) print(name, [rate.toFixed(0)]);

/**
 * Calls by each way in turns, and prints what that takes. The first way is what the others add to,
 * the second Bowire's own.
 */
async function compare(
  kind: string,
  ways: readonly { readonly name: string; readonly caller: Caller }[],
): Promise<void> {
  const taken = ways.map(({ name, caller }) => ({ name, caller, ms: [] as number[] }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { caller, ms } of taken) {
      for (let call = 0; call < CALLS; call++) {
        const startedMs = performance.now();
        await caller.call();
        if (round > 0) ms.push(performance.now() - startedMs); // the first round warms up
      }
    }
  }
  print(kind, ["p50", "p99", "added p50", "to bowire's"]);
  const [base = NaN, own = NaN] = taken.map(({ ms }) => median(ms));
  for (const { name, ms } of taken) {
    const figures = [median(ms), quantile(ms, 0.99), median(ms) - base];
    const ratio = (median(ms) - base) / (own - base);
    print(name, [...figures.map((figure) => `${figure.toFixed(2)} ms`), ratio.toFixed(1)]);
  }
  console.log();
}

function print(name: string, cells: readonly string[]): void {
  console.log(`  ${name.padEnd(42)}${cells.map((cell) => cell.padStart(12)).join("")}`);
}
