/**
 * Whether a worker still answers, and how much memory it holds. A worker whose heap reaches the limit
 * of V8 takes the whole process with it, so it is ended before.
 *
 * @module
 */
import process from "node:process";

/** When a worker counts as silent, as dead, and as too large. */
export interface PulseLimits {
  /** Without an answer for so long it gets no new calls, in milliseconds. @default 5000 */
  readonly silentMs?: number;
  /** Without an answer for so long its calls have failed, in milliseconds. @default 60000 */
  readonly deadMs?: number;
  /** Most memory of objects and buffers, in bytes. @default six tenths of what V8 gives a heap */
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
const SILENT_MS = 5_000;
const DEAD_MS = 60_000;
/** Of the limit of a heap, beyond which it goes up between two beats. */
const HEAP_SHARE = 0.6;

/** Asks for a sign of life again and again, as long as it runs. */
export class Pulse {
  readonly #reactions: PulseReactions;
  readonly #limits: PulseLimits;
  #timer: ReturnType<typeof setInterval> | undefined;
  /** How many beats the sign of life is late; `undefined` when none is asked for. */
  #lateBeats: number | undefined;

  constructor(reactions: PulseReactions, limits: PulseLimits = {}) {
    this.#reactions = reactions;
    this.#limits = limits;
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
    const most = this.#limits.memoryBytes ?? heapBytes() * HEAP_SHARE;
    if (memoryBytes <= most) return;
    this.#reactions.onDeath(`it took more than ${Math.round(most / 1024 ** 2)} MiB of memory`);
  }

  #beat(): void {
    if (this.#lateBeats === undefined) {
      this.#lateBeats = 0;
      return this.#reactions.beat();
    }
    const { silentMs = SILENT_MS, deadMs = DEAD_MS } = this.#limits;
    // Beats, not a clock: while this thread itself was busy or asleep, nobody could be heard.
    const lateMs = ++this.#lateBeats * BEAT_MS;
    if (lateMs > deadMs) this.#reactions.onDeath("it stopped answering");
    else if (lateMs > silentMs) this.#reactions.onSilence();
  }
}

/** The limit of this thread's heap, which is that of every other: each has a heap of its own. */
function heapBytes(): number {
  // Loaded when there is a beat: no worker starts later for it.
  return process.getBuiltinModule("node:v8").getHeapStatistics().heap_size_limit;
}
