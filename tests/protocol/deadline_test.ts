import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Deadline, fixedTime } from "../../lib/protocol/deadline.ts";

/** Settles when a signal aborts. */
async function abortOf(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
}

/** How long it takes until a signal aborts, in milliseconds from `startMs`. */
async function timeOf(signal: AbortSignal, startMs: number): Promise<number> {
  await abortOf(signal);
  return performance.now() - startMs;
}

/** Calls something at each of these times. */
function at(timesMs: readonly number[], action: () => void): void {
  for (const timeMs of timesMs) setTimeout(action, timeMs);
}

Deno.test("Deadline aborts after its time, as a timeout", async () => {
  const startMs = performance.now();
  using deadline = new Deadline({ timeoutMs: 60 });
  strictEqual(deadline.signal.aborted, false);
  const tookMs = await timeOf(deadline.signal, startMs);
  ok(tookMs >= 59, `${tookMs} ms`);
  strictEqual(deadline.signal.reason.name, "TimeoutError");
  deepStrictEqual([deadline.leftMs, deadline.limitMs], [0, 60]);
});

Deno.test("Deadline.extend begins the time anew, within that in all", async () => {
  const startMs = performance.now();
  using deadline = new Deadline({ timeoutMs: 100, maxTimeoutMs: 230 });
  at([50, 100, 150, 200], () => deadline.extend());
  const tookMs = await timeOf(deadline.signal, startMs);
  ok(tookMs >= 229, `${tookMs} ms`);
  strictEqual(deadline.limitMs, 230);
});

Deno.test("Deadline.extend counts from the sign of life, not from the end before", async () => {
  const startMs = performance.now();
  using deadline = new Deadline({ timeoutMs: 100, maxTimeoutMs: 10_000 });
  at([10, 20, 30, 40, 50], () => deadline.extend());
  const tookMs = await timeOf(deadline.signal, startMs);
  ok(tookMs >= 149 && tookMs < 1000, `${tookMs} ms`);
});

Deno.test("Deadline without more time in all cannot be extended", async () => {
  const startMs = performance.now();
  using deadline = new Deadline({ timeoutMs: 60 });
  at([10, 20, 30, 40, 50], () => deadline.extend());
  const tookMs = await timeOf(deadline.signal, startMs);
  ok(tookMs >= 59 && tookMs < 1000, `${tookMs} ms`);
  strictEqual(deadline.limitMs, 60);
});

Deno.test("Deadline has at least its timeout, whatever it has in all", () => {
  using deadline = new Deadline({ timeoutMs: 5000, maxTimeoutMs: 10 });
  ok(deadline.leftMs > 4000);
});

Deno.test("Deadline.hold gives all the time there is", () => {
  using deadline = new Deadline({ timeoutMs: 50, maxTimeoutMs: 60_000 });
  deadline.hold();
  ok(deadline.leftMs > 59_000);
  strictEqual(deadline.limitMs, 60_000);
  deadline.extend(); // the person has answered
  ok(deadline.leftMs <= 50);
});

Deno.test("Deadline counts the time that is over already", () => {
  using deadline = new Deadline({ timeoutMs: 1000, maxTimeoutMs: 1500, elapsedMs: 900 });
  ok(deadline.leftMs <= 100);
  strictEqual(deadline.limitMs, 1000);
  deadline.extend();
  ok(deadline.leftMs <= 600 && deadline.leftMs > 500);
  strictEqual(deadline.limitMs, 1500);
});

Deno.test("Deadline whose time is over aborts at once", async () => {
  using deadline = new Deadline({ timeoutMs: 10, elapsedMs: 20 });
  strictEqual(deadline.leftMs, 0);
  await abortOf(deadline.signal);
});

Deno.test("Deadline that is disposed of never aborts", async () => {
  const disposed = new Deadline({ timeoutMs: 10 });
  disposed[Symbol.dispose]();
  using later = new Deadline({ timeoutMs: 50 });
  await abortOf(later.signal);
  strictEqual(disposed.signal.aborted, false);
});

Deno.test("Deadline that is over stays over", async () => {
  using deadline = new Deadline({ timeoutMs: 10, maxTimeoutMs: 60_000 });
  await abortOf(deadline.signal);
  deadline.extend();
  strictEqual(deadline.leftMs, 0);
});

Deno.test("fixedTime ends when it is told to, elapsed time included", async () => {
  const startMs = performance.now();
  const time = fixedTime({ timeoutMs: 100, elapsedMs: 40 });
  deepStrictEqual([time.limitMs, time.leftMs <= 60], [100, true]);
  const tookMs = await timeOf(time.signal, startMs);
  ok(tookMs >= 58 && tookMs < 1000, `${tookMs} ms`);
  strictEqual(time.leftMs, 0);
  strictEqual(fixedTime({ timeoutMs: 5, elapsedMs: 10 }).leftMs, 0);
});

Deno.test("Deadline never asks for a timer longer than there is, which would end at once", () => {
  const { setTimeout } = globalThis;
  const delaysMs: unknown[] = [];
  globalThis.setTimeout = ((action: () => void, delayMs?: number) => {
    delaysMs.push(delayMs);
    return setTimeout(action, delayMs);
  }) as typeof setTimeout;
  try {
    using deadline = new Deadline({ timeoutMs: 2 ** 33 });
    ok(deadline.leftMs > 2 ** 32);
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  deepStrictEqual(delaysMs, [2 ** 31 - 1]);
});

Deno.test("fixedTime of more than a timer takes does not end at once", async () => {
  const { signal, limitMs } = fixedTime({ timeoutMs: 2 ** 33 });
  await abortOf(AbortSignal.timeout(20)); // by then a timer that is too long has gone off
  strictEqual(signal.aborted, false);
  strictEqual(limitMs, 2 ** 33);
});
