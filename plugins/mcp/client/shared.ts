/**
 * What is found out once for all who want to know.
 *
 * @module
 */

interface Begun<T> {
  readonly promise: Promise<T>;
  /** Of the call on whose behalf it is found out. */
  readonly signal: AbortSignal;
  value?: T;
}

/** A value that the first who asks finds out, for all others as well. */
export class Shared<T> {
  #begun: Begun<T> | undefined;

  /**
   * The value. When the call that was finding it out is given up, the next one begins anew.
   *
   * @param signal of the call that asks.
   * @throws whatever `find` throws, which is tried again the next time.
   */
  async get(signal: AbortSignal, find: () => Promise<T>): Promise<T> {
    while (true) {
      const begun = this.#begun ??= { promise: find(), signal };
      try {
        return begun.value = await begun.promise;
      } catch (error) {
        if (this.#begun === begun) this.#begun = undefined;
        if (begun.signal === signal || !begun.signal.aborted) throw error;
      }
    }
  }

  /** Forgets a value, unless another has taken its place; tells whether it did. */
  forget(value: T): boolean {
    if (this.#begun?.value !== value) return false;
    this.#begun = undefined;
    return true;
  }
}
