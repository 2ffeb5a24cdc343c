/**
 * The order of a map's keys: the wire has none, and an answer should read the same each time.
 *
 * @module
 */

/** Entries in the order of their keys' UTF-16 units. */
export function sortedByText<V>(entries: ReadonlyMap<string, V>): [string, V][] {
  return [...entries].sort(([a], [b]) => a < b ? -1 : 1);
}

/** Entries in the order of the whole numbers that their keys are. */
export function sortedByNumber<V>(entries: ReadonlyMap<string, V>): [string, V][] {
  return [...entries]
    .map(([key, value]) => ({ key, value, number: BigInt(key) }))
    .sort((a, b) => a.number < b.number ? -1 : 1)
    .map(({ key, value }) => [key, value]);
}
