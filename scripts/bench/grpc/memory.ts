// deno-lint-ignore-file no-console -- a program speaks on the terminal
/**
 * Calls a harbour again and again through the worker, or opens streams and leaves them after two
 * messages, and prints how much memory was held on the way, as JSON.
 *
 * Run: `deno run --v8-flags=--expose-gc … memory.ts URL calls|streams COUNT HOME`
 *
 * @module
 */
import { type Bowire, composeBowire } from "../../../lib/bowire.ts";
import { CALL } from "./harbour.ts";
import { candidates, heapInUse } from "./plugins.ts";

/** When memory is looked at, as shares of the whole. */
const SHARES = [0.1, 0.5, 1];

/** What was held after so many calls, in bytes. */
export interface MemorySample {
  readonly calls: number;
  /** Of the process. */
  readonly rss: number;
  /** Of the main thread, without garbage. */
  readonly mainHeap: number;
  /** Of the worker, without garbage. */
  readonly workerHeap: number;
}

const [url = "", what, count = "", home = ""] = Deno.args;
const total = Number(count);
const bowire = await composeBowire(
  { allowedServerUrls: [url], loadAllowlistFromEnvironments: false, sandbox: "worker" },
  { home, plugins: candidates, worker: new URL("./worker.ts", import.meta.url) },
);
const exercise = what === "streams" ? leaveStream : makeCall;
const samples: MemorySample[] = [];
for (let calls = 1; calls <= total; calls++) {
  await exercise(bowire);
  if (SHARES.some((share) => calls === total * share)) samples.push(await look(calls));
}
console.log(JSON.stringify(samples));
Deno.exit(); // the time limits of the last calls go on

/** With a time limit that is soon over, for until then it takes memory. */
function requestOf(method: string) {
  return { url: `grpc@${url}`, service: CALL.service, method, timeoutMs: 2000 };
}

async function makeCall({ invoke }: Bowire): Promise<void> {
  const { invocation } = await invoke({ ...requestOf(CALL.method), messages: [CALL.body] });
  if (!invocation.ok) throw new Error(`a call ended with ${invocation.status}`);
}

async function leaveStream({ subscribe }: Bowire): Promise<void> {
  // Few messages are under way when it is left: those that come too late count as an offence of the
  // server's, and too many of them end the connection.
  const messages = ['{"intervalMs":10}'];
  const stream = subscribe({ ...requestOf("WatchBerths"), messages });
  for (let frames = 0; frames < 2; frames++) {
    const { done, value } = await stream.next();
    if (done === true) throw new Error(`a stream ended by itself: ${JSON.stringify(value)}`);
  }
  await stream.return();
}

async function look(calls: number): Promise<MemorySample> {
  const request = { url, service: "", method: "look", messages: [], protocol: "memory" };
  const { invocation } = await bowire.invoke(request);
  const workerHeap = Number(invocation.response);
  return { calls, rss: Deno.memoryUsage().rss, mainHeap: heapInUse(), workerHeap };
}
