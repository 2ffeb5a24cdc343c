/**
 * How far a long run has come, and what it costs.
 *
 * @module
 */
import { resourceUsage } from "node:process";

const INTERVAL_MS = 10_000;
const TERMINAL_INTERVAL_MS = 200;

/** Tells on standard error how far it has come: often on a terminal, else every ten seconds. */
export class Progress {
  readonly #isTerminal = Deno.stderr.isTerminal();
  #nextMs = performance.now() + (this.#isTerminal ? 0 : INTERVAL_MS);

  /** Shows a line if it is time for one. */
  show(line: () => string): void {
    const nowMs = performance.now();
    if (nowMs < this.#nextMs) return;
    this.#nextMs = nowMs + (this.#isTerminal ? TERMINAL_INTERVAL_MS : INTERVAL_MS);
    write(this.#isTerminal ? `\r\x1b[K${line()}` : `${line()}\n`);
  }

  /** Clears the line on a terminal. */
  end(): void {
    if (this.#isTerminal) write("\r\x1b[K");
  }
}

function write(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

/** The most memory that this process has had in RAM, in MiB. */
export function peakMemoryMib(): number {
  return Math.round(resourceUsage().maxRSS / 1024);
}
