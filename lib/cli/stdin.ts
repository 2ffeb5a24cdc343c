/**
 * The process's standard input.
 *
 * @module
 */

/** How much is read at once, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * Standard input by way of one buffer that is used again and again: `Deno.stdin.readable` makes a
 * new one for each piece, which adds up to 70 MiB before they are freed. A piece holds until the
 * next one is asked for.
 */
export function readStdin(): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces()); // asks for a piece only when one is wanted
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(READ_BYTES);
  for (
    let size = await Deno.stdin.read(buffer);
    size !== null;
    size = await Deno.stdin.read(buffer)
  ) {
    yield buffer.subarray(0, size);
  }
}
