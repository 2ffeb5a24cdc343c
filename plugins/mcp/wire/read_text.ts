/**
 * A body that is read whole.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { DEFAULT_MAX_BYTES } from "../../../lib/protocol/mod.ts";

/**
 * The text of a body.
 *
 * @throws {BowireError} `too_large` for one of more than 16 MiB.
 */
export async function readText(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > DEFAULT_MAX_BYTES) {
      const message = `the server's answer is larger than ${DEFAULT_MAX_BYTES} bytes`;
      throw new BowireError("too_large", message);
    }
    texts.push(decoder.decode(piece, { stream: true }));
  }
  return texts.join("") + decoder.decode();
}
