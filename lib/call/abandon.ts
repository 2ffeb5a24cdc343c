/**
 * Leaves behind what does not stop by itself.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Target } from "../gate/mod.ts";
import { abortError, type Scope } from "../protocol/mod.ts";

/** What is running may end by itself with a better reason; so long it has for that. */
const GRACE_MS = 50;

/**
 * Runs something until it is done, or a signal has aborted and it does not end.
 *
 * @throws whatever `run` throws, or the signal's reason when it aborts first.
 */
export async function untilAborted<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => aborted.reject(signal.reason), GRACE_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}

/**
 * Runs a part of a call, as long as the call may take.
 *
 * @throws whatever `run` throws; `timeout` or `cancelled`, whichever came first, when it does not end.
 */
export async function endInTime<T>(
  target: Target,
  scope: Scope,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await untilAborted(run, scope.limit);
  } catch (error) {
    if (error instanceof BowireError || !scope.limit.aborted) throw error;
    throw abortError(target, scope.signal, scope.timeoutMs);
  }
}
