/**
 * Whether a worker still answers, and how much memory it holds. A worker whose heap reaches the limit
 * of V8 takes the whole process with it, so it is ended before.
 *
 * @module
 */

/** When a worker counts as silent, as dead, and as too large. */
export interface PulseLimits {
  /** Without an answer for so long it gets no new calls, in milliseconds. @default 5000 */
  readonly silentMs?: number;
  /** Without an answer for so long its calls have failed, in milliseconds. @default 60000 */
  readonly deadMs?: number;
  /** Most memory of objects and buffers, in bytes. @default 1610612736 */
  readonly memoryBytes?: number;
}

/** What is done about it. */
export interface PulseReactions {
  /** Asks the worker for a sign of life. */
  beat(): void;
  onSilence(): void;
  /** @param reason what a person may read. */
  onDeath(reason: string): void;
}

const BEAT_MS = 250;
const DEFAULTS: Required<PulseLimits> = {
  silentMs: 5_000,
  deadMs: 60_000,
  // Below the smallest limit that V8 gives itself on a machine with 4 GiB or more.
  memoryBytes: 1.5 * 1024 ** 3,
};

/** Asks for a sign of life again and again, as long as it runs. */
export class Pulse {
  readonly #reactions: PulseReactions;
  readonly #limits: Required<PulseLimits>;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** How many beats the sign of life is late; `undefined` when none is asked for. */
  #lateBeats: number | undefined;

  constructor(reactions: PulseReactions, limits: PulseLimits = {}) {
    this.#reactions = reactions;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** Begins, or goes on. */
  start(): void {
    this.#timer ??= setInterval(() => this.#beat(), BEAT_MS);
  }

  /** Rests. */
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#lateBeats = undefined;
  }

  /** Takes a sign of life. */
  hear(memoryBytes: number): void {
    this.#lateBeats = undefined;
    if (memoryBytes <= this.#limits.memoryBytes) return;
    const mebibytes = Math.round(this.#limits.memoryBytes / 1024 ** 2);
    this.#reactions.onDeath(`it took more than ${mebibytes} MiB of memory`);
  }

  #beat(): void {
    if (this.#lateBeats === undefined) {
      this.#lateBeats = 0;
      return this.#reactions.beat();
    }
    // Beats, not a clock: while this thread itself was busy or asleep, nobody could be heard.
    const silentMs = ++this.#lateBeats * BEAT_MS;
    if (silentMs > this.#limits.deadMs) this.#reactions.onDeath("it stopped answering");
    else if (silentMs > this.#limits.silentMs) this.#reactions.onSilence();
  }
}
