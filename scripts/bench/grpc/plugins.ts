/**
 * The built-in plugins, and one that tells how much memory its worker holds.
 *
 * @module
 */
import type { Plugin } from "../../../lib/protocol/mod.ts";
import { plugins } from "../../../plugins/mod.ts";
import { invocationOf, protocolOf } from "../../../tests/fakes/protocols.ts";

/** What is in use of the heap and of buffers, in bytes, once all garbage is gone. */
export function heapInUse(): number {
  // There is one under --v8-flags=--expose-gc.
  const collect: unknown = Reflect.get(globalThis, "gc");
  if (typeof collect !== "function") throw new Error("there is no gc()");
  collect();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

const memory = protocolOf("memory", {
  claims: () => "no",
  invoke: () => Promise.resolve(invocationOf(String(heapInUse()))),
});

/** What main thread and worker of the bench know. */
export const candidates: readonly Plugin[] = [...plugins, memory];
