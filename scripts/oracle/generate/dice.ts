/**
 * Chance that a seed and a name decide, so that a narrower run draws the same.
 *
 * @module
 */
import { numberOf } from "../../corpus/draw.ts";

/** A row of random numbers. */
export class Dice {
  readonly #name: string;
  readonly #seed: number;
  #throws = 0;

  /** Equal names and seeds give equal rows. */
  constructor(name: string, seed: number) {
    this.#name = name;
    this.#seed = seed;
  }

  /** A whole number from 0 to less than `count`. */
  below(count: number): number {
    return numberOf(`${this.#name} ${this.#throws++}`, this.#seed) % count;
  }

  /** True that often of a hundred times. */
  isIn(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** One of a list, which is not empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined) throw new RangeError("cannot pick from an empty list");
    return picked;
  }
}
