/**
 * A stream of events in whole events, byte for byte.
 *
 * @module
 */
import { Buffer } from "node:buffer";

const [LF, CR] = [0x0a, 0x0d];

/** Largest event that is put together, in bytes. */
export const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/**
 * The pieces of a stream, cut where an event ends: after an empty line, whichever way lines end
 * (WHATWG HTML, 9.2.5). What a stream leaves unfinished is not given.
 *
 * @throws {RangeError} for an event beyond the limit; what the stream throws.
 */
export async function* wholeEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  let last = new Uint8Array();
  for await (const chunk of stream) {
    // An end may lie across pieces: the bytes before this one are looked at again.
    const seen = Buffer.concat([last, chunk]);
    const end = lastEventEnd(seen) - last.byteLength;
    last = seen.subarray(-3);
    if (end > 0) {
      yield joined([...waiting, chunk.subarray(0, end)]);
      waiting = [];
      size = 0;
    }
    const rest = end > 0 ? chunk.subarray(end) : chunk;
    if (rest.byteLength === 0) continue;
    waiting.push(rest);
    size += rest.byteLength;
    if (size > MAX_EVENT_BYTES) throw new RangeError("an event is larger than 64 MiB");
  }
}

/** The offset behind the last empty line; 0 when there is none. */
function lastEventEnd(bytes: Uint8Array): number {
  for (let end = bytes.length; end > 1; end--) {
    const [before, last] = [bytes[end - 2], bytes[end - 1]];
    if (last === LF && (before === LF || before === CR && endsLine(bytes[end - 3]))) return end;
    if (last === CR && before === CR) return end;
  }
  return 0;
}

function endsLine(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    whole.set(piece, offset);
    offset += piece.byteLength;
  }
  return whole;
}
