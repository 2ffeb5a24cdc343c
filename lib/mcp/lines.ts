/**
 * Lines out of a byte stream, with a bound on their length.
 *
 * @module
 */

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
  #pieces: Uint8Array[] = [];
  #tail = new Uint8Array();
  size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  append(piece: Uint8Array): void {
    if (piece.byteLength === 0) return;
    const wasTooLong = this.size > this.#maxBytes;
    this.size += piece.byteLength;
    if (this.size <= this.#maxBytes) this.#pieces.push(piece.slice());
    else if (wasTooLong) {
      this.#tail = join([this.#tail, piece.slice(-KEPT_BYTES)]).slice(-KEPT_BYTES);
    } else {
      const whole = join([...this.#pieces, piece]);
      this.#pieces = [whole.slice(0, KEPT_BYTES)];
      this.#tail = whole.slice(-KEPT_BYTES);
    }
  }

  take(): Line {
    const isTooLong = this.size > this.#maxBytes;
    const text = decode(join(this.#pieces)) + (isTooLong ? decode(this.#tail) : "");
    return { text: text.replace(/\r$/, ""), isTooLong };
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
