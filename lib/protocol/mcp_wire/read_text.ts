/**
 * A body that is read whole.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError } from "../../errors/mod.ts";
import { DEFAULT_MAX_BYTES } from "../http/follow.ts";

/**
 * The bytes of a body.
 *
 * @param maxBytes most of them. @default 16777216
 * @throws {BowireError} `too_large` for more.
 */
export async function readBytes(
  pieces: AsyncIterable<Uint8Array> | null,
  maxBytes: number = DEFAULT_MAX_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) {
      throw new BowireError("too_large", `the body is larger than ${maxBytes} bytes`);
    }
    kept.push(piece);
  }
  return new Uint8Array(Buffer.concat(kept));
}

/**
 * The text of a body.
 *
 * @throws {BowireError} as {@linkcode readBytes} does.
 */
export async function readText(
  pieces: AsyncIterable<Uint8Array> | null,
  maxBytes?: number,
): Promise<string> {
  return new TextDecoder().decode(await readBytes(pieces, maxBytes));
}
