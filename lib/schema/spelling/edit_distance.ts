/**
 * How far two names are from each other.
 *
 * @module
 */

/** Longest part of a name that is compared. */
const MAX_LENGTH = 80;

/** Letters to insert, delete or replace (Levenshtein); upper and lower case are the same. */
export function editDistance(from: string, to: string): number {
  const [left, right] = [from, to].map((name) => [...name.slice(0, MAX_LENGTH).toLowerCase()]);
  let row = [0, ...right ?? []].map((_, index) => index);
  for (const [line, letter] of (left ?? []).entries()) {
    const next = [line + 1];
    for (const [column, other] of (right ?? []).entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
