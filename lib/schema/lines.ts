/**
 * Lines out of a byte stream, with a bound on their length.
 *
 * @module
 */
import { Buffer } from "node:buffer";

/** One line without its end. */
export interface Line {
  readonly text: string;
  /** True when the line went over the bound; `text` then holds only its head and tail. */
  readonly isTooLong: boolean;
}

const NEWLINE = 0x0a;
/** How much of an over-long line's head and tail is kept, in bytes. */
const KEPT_BYTES = 4096;

/**
 * Splits a stream at line feeds. Bytes are put together before they are decoded, so a character
 * may arrive in pieces; memory stays bounded whatever arrives.
 *
 * @param maxBytes longest line that is given whole.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let line = new LineBuffer(maxBytes);
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      line.append(chunk.subarray(start, end));
      yield line.take();
      line = new LineBuffer(maxBytes);
      start = end + 1;
    }
    line.append(chunk.subarray(start));
  }
  if (line.size > 0) yield line.take();
}

/** The line that is being put together. */
class LineBuffer {
  readonly #maxBytes: number;
  /** The whole line, or only its tail once it is too long. */
  #pieces: Uint8Array[] = [];
  #head: Uint8Array | undefined;
  size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  append(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    this.size += piece.byteLength;
    if (this.size <= this.#maxBytes) {
      this.#pieces.push(piece.slice());
      return;
    }
    this.#pieces.push(piece);
    this.#head ??= Buffer.concat(this.#pieces, Math.min(KEPT_BYTES, this.size));
    this.#pieces = [tailOf(this.#pieces)];
  }

  take(): Line {
    const head = this.#head === undefined ? "" : decode(this.#head);
    const text = head + decode(Buffer.concat(this.#pieces));
    return { text: text.replace(/\r$/, ""), isTooLong: this.#head !== undefined };
  }
}

/** The last bytes, put together from the end, so that nothing long is copied. */
function tailOf(pieces: readonly Uint8Array[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let missing = KEPT_BYTES;
  for (const piece of pieces.toReversed()) {
    if (missing === 0) break;
    const part = piece.subarray(-missing);
    parts.unshift(part);
    missing -= part.byteLength;
  }
  return Buffer.concat(parts);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
