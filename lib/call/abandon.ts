/**
 * Leaves behind what does not stop by itself.
 *
 * @module
 */

/**
 * Runs something until it is done or a signal aborts.
 *
 * @throws whatever `run` throws, or the signal's reason when it aborts first.
 */
export async function untilAborted<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
