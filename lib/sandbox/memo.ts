/**
 * Large values cross the border once. The discovery of a large API is many megabytes, and a protocol
 * that remembers it gives the same object again: then a number is enough.
 *
 * @module
 */
import type { Discovered } from "../protocol/mod.ts";
import type { Memo, Outcome } from "./border.ts";

/** How many values are kept on both sides. */
const MAX_KEPT = 8;

/** The worker's side: numbers the values that were sent. */
export class SentValues {
  readonly #numbers = new WeakMap<object, number>();
  /** Numbers of the values that the other side has, the longest unused first. */
  readonly #kept = new Set<number>();
  #next = 1;

  /** What to send for an outcome; for a value that the other side has, its number alone. */
  pack(outcome: Outcome): { outcome: Outcome; memo?: Memo } {
    if (!("value" in outcome) || !isLarge(outcome.value)) return { outcome };
    const known = this.#numbers.get(outcome.value);
    if (known !== undefined && this.#kept.delete(known)) {
      this.#kept.add(known);
      return { outcome: { value: undefined }, memo: { number: known } };
    }
    const number = this.#next++;
    this.#numbers.set(outcome.value, number);
    this.#kept.add(number);
    const [oldest] = this.#kept;
    if (this.#kept.size <= MAX_KEPT || oldest === undefined) return { outcome, memo: { number } };
    this.#kept.delete(oldest);
    return { outcome, memo: { number, forget: oldest } };
  }
}

/** The main thread's side: keeps the values that were numbered. */
export class KeptValues {
  readonly #values = new Map<number, unknown>();

  /** The outcome that was packed. */
  unpack(outcome: Outcome, memo: Memo | undefined): Outcome {
    if (memo === undefined || !("value" in outcome)) return outcome;
    if (memo.forget !== undefined) this.#values.delete(memo.forget);
    if (outcome.value === undefined) return { value: this.#values.get(memo.number) };
    this.#values.delete(memo.number);
    this.#values.set(memo.number, outcome.value);
    // The worker tells what to forget; should it not, this is the bound.
    const [oldest] = this.#values.keys();
    if (this.#values.size > MAX_KEPT && oldest !== undefined) this.#values.delete(oldest);
    return outcome;
  }
}

/** A discovery, which can be many megabytes. */
function isLarge(value: unknown): value is Discovered {
  return typeof value === "object" && value !== null && "services" in value;
}
