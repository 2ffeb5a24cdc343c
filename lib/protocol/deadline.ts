/**
 * The end of a call's time, which signs of life put off.
 *
 * @module
 */

/** Longest time that a timer takes, in milliseconds; a longer one would end at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** How long a call may take. */
export interface DeadlineOptions {
  /** Without a sign of life, in milliseconds. */
  readonly timeoutMs: number;
  /** In all, in milliseconds. @default timeoutMs */
  readonly maxTimeoutMs?: number | undefined;
  /** How much of both is over, in milliseconds. @default 0 */
  readonly elapsedMs?: number | undefined;
}

/** How much time a call has. */
export interface CallTime {
  /** Aborts when it is over. */
  readonly signal: AbortSignal;
  /** In all, as far as it is settled, in milliseconds. */
  readonly limitMs: number;
  /** What is left, in whole milliseconds. */
  readonly leftMs: number;
}

/** A time that nothing puts off. */
export function fixedTime({ timeoutMs, elapsedMs = 0 }: DeadlineOptions): CallTime {
  const remainingMs = Math.max(0, Math.ceil(timeoutMs - elapsedMs));
  const endsMs = performance.now() + remainingMs;
  return {
    signal: AbortSignal.timeout(Math.min(remainingMs, MAX_TIMER_MS)),
    limitMs: timeoutMs,
    get leftMs() {
      return Math.max(0, Math.ceil(endsMs - performance.now()));
    },
  };
}

/** A time that can be put off. Whoever makes one disposes of it: its timer would live on. */
export class Deadline implements CallTime, Disposable {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  readonly #startedMs: number;
  readonly #lastMs: number;
  #endsMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor({ timeoutMs, maxTimeoutMs = timeoutMs, elapsedMs = 0 }: DeadlineOptions) {
    this.#timeoutMs = timeoutMs;
    this.#startedMs = performance.now() - elapsedMs;
    this.#endsMs = this.#startedMs + timeoutMs;
    this.#lastMs = this.#startedMs + Math.max(timeoutMs, maxTimeoutMs);
    this.#arm();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get limitMs(): number {
    return Math.round(this.#endsMs - this.#startedMs);
  }

  get leftMs(): number {
    return Math.max(0, Math.ceil(this.#endsMs - performance.now()));
  }

  /** A sign of life: the time without one begins anew, within the time in all. What is over stays so. */
  extend(): void {
    if (this.signal.aborted) return;
    this.#endsMs = Math.min(performance.now() + this.#timeoutMs, this.#lastMs);
  }

  /** Gives the call all the time there is, while a person is thinking; as above. */
  hold(): void {
    if (this.signal.aborted) return;
    this.#endsMs = this.#lastMs;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #arm(): void {
    this.#timer = setTimeout(() => {
      if (this.leftMs > 0) this.#arm();
      else this.#controller.abort(new DOMException("the time is over", "TimeoutError"));
    }, Math.min(this.leftMs, MAX_TIMER_MS));
  }
}
