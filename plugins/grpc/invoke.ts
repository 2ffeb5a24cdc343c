/**
 * Calls that are answered once: unary ones, and those to which the client streams.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Invocation } from "../../lib/model/mod.ts";
import type { Call, CallContext } from "../../lib/protocol/mod.ts";
import { decodeMessage } from "./json/mod.ts";
import type { Parts } from "./parts.ts";
import { prepare } from "./prepare.ts";
import { endedWith, Remarks } from "./status/ending.ts";

/** Makes one call. */
export async function invoke(parts: Parts, call: Call, context: CallContext): Promise<Invocation> {
  const prepared = await prepare(parts, call, context);
  const { endpoint, method, messages, codec } = prepared;
  if (method.methodKind === "server_streaming" || method.methodKind === "bidi_streaming") {
    throw new BowireError(
      "invalid_argument",
      `cannot invoke "${method.parent.typeName}/${method.name}": it answers with a stream`,
      { hint: "use bowire.subscribe, on the command line `bowire call --stream`" },
    );
  }
  const startedMs = performance.now();
  const wired = { endpoint, method, messages, keepsOpen: false };
  const stream = parts.wire.open(wired, context);
  let answer: Uint8Array | undefined;
  while (true) {
    const { done, value } = await stream.next();
    if (done !== true) {
      answer ??= value;
      continue;
    }
    const durationMs = Math.round(performance.now() - startedMs);
    const end = await endedWith(value, codec);
    if (!end.ok) return { ...end, durationMs };
    const remarks = new Remarks();
    if (answer === undefined) remarks.add("the server sent no message");
    const decoded = answer === undefined
      ? undefined
      : remarks.collect(await decodeMessage(method.output, answer, codec));
    return {
      ...end,
      durationMs,
      response: decoded?.json ?? null,
      metadata: { ...end.metadata, ...remarks.metadata },
    };
  }
}
