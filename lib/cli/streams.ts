/**
 * The process's standard streams: input without waste, output kept for what belongs there.
 *
 * @module
 */
import { Console } from "node:console";
import process from "node:process";

/** How much is read at once, in bytes. */
const READ_BYTES = 64 * 1024;

/**
 * Takes standard output away from everybody else: what a library or plugin prints afterwards, by
 * `console`, `process.stdout` or `Deno.stdout`, goes to standard error.
 *
 * @returns the real standard output.
 */
export function claimStdout(): WritableStream<Uint8Array> {
  const stdout = Deno.stdout.writable;
  Object.defineProperty(process, "stdout", { get: () => process.stderr, configurable: true });
  Object.defineProperty(Deno, "stdout", { value: Deno.stderr, configurable: true });
  // Into the present object rather than in its place: `node:console` and early importers hold it.
  Object.assign(globalThis.console, new Console(process.stderr, process.stderr));
  return stdout;
}

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
