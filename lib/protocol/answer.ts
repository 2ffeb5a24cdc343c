/**
 * Reads a response whole, within a bound.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Target } from "../gate/mod.ts";
import { place } from "./dial_errors.ts";
import type { HttpAnswer } from "./exchange.ts";

/** How much of a body is read at once, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * Reads a response.
 *
 * @param maxBytes most bytes of its body after decompression.
 * @throws {BowireError} `too_large`.
 */
export async function readAnswer(
  target: Target,
  response: Response,
  maxBytes: number,
): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body === null ? [] : readPieces(response.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new BowireError(
        "too_large",
        `the answer of ${place(target)} is larger than ${maxBytes} bytes`,
        {
          hint: "ask for less: a filter, a page size, a range",
        },
      );
    }
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return {
    url: target.url,
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers],
    body,
  };
}

/**
 * The pieces of a body, copied out of one buffer that is used again and again: the chunks that the
 * stream makes by itself keep 64 KiB of memory each, however short they are.
 */
async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(READ_BYTES);
  try {
    while (true) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value.slice();
      buffer = value.buffer;
    }
  } finally {
    await reader.cancel(); // closes the connection when the rest is not wanted
  }
}
