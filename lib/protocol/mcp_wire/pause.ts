/**
 * A wait that ends early when nobody waits any more.
 *
 * @module
 */

/**
 * Waits.
 *
 * @throws the signal's reason when it has aborted.
 */
export async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", onAbort);
  signal.throwIfAborted();
}
