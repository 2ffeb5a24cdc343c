/**
 * Large values cross the border once. The discovery of a large API is many megabytes, and a protocol
 * that remembers it gives the same object again: then a number is enough.
 *
 * @module
 */
import type { Memo } from "./border.ts";

/** How many values are kept on both sides. */
const MAX_KEPT = 8;

/** The worker's side: numbers the values that were sent. */
export class SentValues {
  readonly #numbers = new WeakMap<object, number>();
  /** Numbers of the values that the other side has, the longest unused first. */
  readonly #kept = new Set<number>();
  #next = 1;

  /** What to send for a value: its number alone when the other side has it. */
  pack(value: object): { value: unknown; memo: Memo } {
    const known = this.#numbers.get(value);
    if (known !== undefined && this.#kept.delete(known)) {
      this.#kept.add(known);
      return { value: undefined, memo: { number: known } };
    }
    const number = this.#next++;
    this.#numbers.set(value, number);
    this.#kept.add(number);
    const [oldest] = this.#kept;
    if (this.#kept.size <= MAX_KEPT || oldest === undefined) return { value, memo: { number } };
    this.#kept.delete(oldest);
    return { value, memo: { number, forget: oldest } };
  }
}

/** The main thread's side: keeps the values that were numbered. */
export class KeptValues {
  readonly #values = new Map<number, unknown>();

  /** The value that was sent, now or before. */
  unpack(value: unknown, { number, forget }: Memo): unknown {
    if (forget !== undefined) this.#values.delete(forget);
    if (value === undefined) return this.#values.get(number);
    this.#values.set(number, value);
    return value;
  }
}
