/**
 * Whose answer a message is waiting for that is too long to be read.
 *
 * @module
 */

/**
 * The id in what is left of an over-long line, its head and its tail: only outside of all inner
 * braces, since arguments may have an "id", too. `null` when none is found.
 */
export function idIn(text: string): string | number | null {
  const match = /^\s*\{[^{}]*?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(text) ??
    /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)[^{}]*\}\s*$/.exec(text);
  return match?.[1] === undefined ? null : JSON.parse(match[1]);
}
