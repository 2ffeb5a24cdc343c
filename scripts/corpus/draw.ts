/**
 * Which operations are called: one of each document, and the rest uniformly out of all the others.
 *
 * Each operation has a number that depends on the seed and on its name alone, so that a narrower
 * run draws the same ones.
 *
 * @module
 */

/** Something that may be drawn. */
export interface Lot {
  /** Path of the document. */
  readonly document: string;
  /** `GET /pets`. */
  readonly operation: string;
}

/** Draws `count` lots, or one of each document where that is more. */
export function draw(lots: readonly Lot[], count: number, seed: number): Lot[] {
  const numbered = lots
    .map((lot) => ({ lot, number: numberOf(`${lot.document} ${lot.operation}`, seed) }))
    .sort((a, b) => a.number - b.number);
  const first = new Map<string, Lot>();
  for (const { lot } of numbered) {
    if (!first.has(lot.document)) first.set(lot.document, lot);
  }
  const drawn = new Set(first.values());
  for (const { lot } of numbered) {
    if (drawn.size >= count) break;
    drawn.add(lot);
  }
  return [...drawn];
}

/** A number of 32 bits out of a text (FNV-1a, mixed as MurmurHash3 ends). */
export function numberOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
