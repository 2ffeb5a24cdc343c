/**
 * What a command writes to and reads from.
 *
 * @module
 */
import { styleText } from "node:util";
import { BowireError, messageOf } from "../errors/mod.ts";

/** Colours by meaning. */
export type Tone = "strong" | "faint" | "good" | "bad" | "warn";

const STYLES = { strong: "bold", faint: "dim", good: "green", bad: "red", warn: "yellow" } as const;

/** Standard output and error of one command. */
export class Terminal {
  /** Raw standard output, for a protocol that owns it. */
  readonly stdout: WritableStream<Uint8Array>;
  readonly #isTerminal: boolean;
  #pending: Promise<void> = Promise.resolve();

  constructor(stdout: WritableStream<Uint8Array>, isTerminal: boolean) {
    this.stdout = stdout;
    this.#isTerminal = isTerminal;
  }

  /** True when a person reads along: colours and pretty JSON are welcome. */
  get isInteractive(): boolean {
    return this.#isTerminal;
  }

  /** Writes a line to standard output; text that ends its last line itself gets no second end. */
  print(line: string): void {
    const bytes = new TextEncoder().encode(line.endsWith("\n") ? line : `${line}\n`);
    this.#pending = this.#pending.then(async () => {
      const writer = this.stdout.getWriter();
      await writer.write(bytes).finally(() => writer.releaseLock());
    });
    this.#pending.catch(() => {}); // heard by flush
  }

  /** Writes a line to standard error; one that cannot be written is lost, and nothing fails for it. */
  warn(line: string): void {
    try {
      Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
    } catch { /* the disk is full, or nobody reads it any more */ }
  }

  /** Colours text when a person reads along. */
  paint(text: string, tone: Tone): string {
    return this.#isTerminal && !Deno.noColor
      ? styleText(STYLES[tone], text, { validateStream: false })
      : text;
  }

  /**
   * Settles when everything printed has been handed over.
   *
   * @returns false when the reader has gone away (`| head`), which is no failure: nothing more
   * needs to be written.
   * @throws {BowireError} `file_failed` when it cannot be written, to a full disk for instance.
   */
  async flush(): Promise<boolean> {
    try {
      await this.#pending;
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) return false;
      const reason = messageOf(error);
      throw new BowireError("file_failed", `cannot write to standard output: ${reason}`);
    }
  }
}

/**
 * Text from a target, safe to show: control characters, which could move the cursor or hide
 * things, are spelled out. Line feeds and tabs stay.
 */
export function safe(text: string): string {
  return text.replace(
    /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (mark) => mark === "\n" || mark === "\t" ? mark : spell(mark),
  );
}

function spell(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
