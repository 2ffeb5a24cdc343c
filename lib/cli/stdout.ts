/**
 * The process's standard output, kept for what belongs there.
 *
 * @module
 */
import { Console } from "node:console";
import process from "node:process";

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
