/**
 * Calls that are answered by a stream.
 *
 * @module
 */
import type { FrameStream } from "../../lib/model/mod.ts";
import type { Call, CallContext } from "../../lib/protocol/mod.ts";
import { decodeMessage } from "./json/mod.ts";
import type { Parts } from "./parts.ts";
import { prepare } from "./prepare.ts";
import { endedWith, Remarks } from "./status/ending.ts";

/** Makes one call; a method that is answered once gives one frame. */
export async function* subscribe(parts: Parts, call: Call, context: CallContext): FrameStream {
  const startedMs = performance.now();
  const { endpoint, method, messages, codec } = await prepare(parts, call, context);
  const keepsOpen = call.keepsOpen === true && method.methodKind === "bidi_streaming";
  let metadata: Readonly<Record<string, string>> | undefined;
  const onHeaders = (headers: Readonly<Record<string, string>>) => void (metadata = headers);
  const wired = { endpoint, method, messages, keepsOpen, onHeaders };
  const stream = parts.wire.open(wired, context);
  const remarks = new Remarks();
  try {
    while (true) {
      const { done, value } = await stream.next();
      if (done === true) {
        const end = await endedWith(value, codec);
        return { ...end, metadata: { ...end.metadata, ...remarks.metadata } };
      }
      const atMs = Math.round(performance.now() - startedMs);
      const { json } = remarks.collect(await decodeMessage(method.output, value, codec));
      yield { data: json, atMs, ...(metadata === undefined ? {} : { metadata }) };
      metadata = undefined; // told once
    }
  } finally {
    // A reader that stops early ends the call at the server; one that has its end changes nothing.
    await stream.return({ code: 0, message: "", headers: {}, trailers: {} });
  }
}
