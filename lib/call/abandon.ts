/**
 * Leaves behind what does not stop by itself.
 *
 * @module
 */

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
