/**
 * Leaves behind what does not stop by itself.
 *
 * @module
 */

/**
 * Runs something until it is done, or a signal has aborted and it does not end.
 *
 * @param graceMs how long it may then take to end by itself, with a better reason.
 * @throws whatever `run` throws, or the signal's reason when it aborts first.
 */
export async function untilAborted<T>(
  run: () => Promise<T>,
  signal: AbortSignal,
  graceMs = 50,
): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onAbort = () => {
    timer = setTimeout(() => aborted.reject(signal.reason), graceMs);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([run(), aborted.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
