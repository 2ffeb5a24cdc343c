/**
 * Waiting with an end.
 *
 * @module
 */

/**
 * Longest wait for anything, in milliseconds: far above what a slow machine needs, and below the
 * time limit of a call, which must not be what ends a wait.
 */
export const DEADLINE_MS = 20_000;

/**
 * Waits for a promise.
 *
 * @param what what is waited for, for the message.
 * @param detail tells more when it did not come, for instance what the process wrote.
 * @throws {Error} when it takes longer than {@linkcode DEADLINE_MS}.
 */
export async function within<T>(
  promise: Promise<T>,
  what: string,
  detail: () => string = () => "",
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`waited ${DEADLINE_MS} ms for ${what}\n${detail()}`)),
    DEADLINE_MS,
  );
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
