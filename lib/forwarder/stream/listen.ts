/**
 * What the parent says of its own accord within a session: the stream that a GET opens
 * (MCP 2025-11-25, transports).
 *
 * @module
 */
import type { Resumption } from "../../protocol/mcp_wire/events.ts";
import { pause } from "../../protocol/mcp_wire/pause.ts";
import { type Field, overlaid } from "../fields.ts";
import type { ParentSession } from "../session.ts";
import { isEventStream, textsOf } from "../texts.ts";

/** How long to wait before the stream is opened again, the first and the longest time, in milliseconds. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 30_000];
const PING = '{"jsonrpc":"2.0","id":"bowire-forwarder-ping","method":"ping"}';

/** How the parent is listened to. */
export interface ListenOptions {
  readonly fields: readonly Field[];
  /** Ends the listening. */
  readonly signal: AbortSignal;
  onText(text: string): Promise<void>;
}

/** Listens as long as there is something to hear, over restarts of the parent. Never throws. */
export async function listen(session: ParentSession, options: ListenOptions): Promise<void> {
  const { fields, signal, onText } = options;
  const resumption: Resumption = { lastId: undefined, retryMs: undefined };
  for (let failures = 0; !signal.aborted;) {
    try {
      const response = await session.send({
        method: "GET",
        fields: overlaid(fields, {
          accept: "text/event-stream",
          ...(resumption.lastId === undefined ? {} : { "last-event-id": resumption.lastId }),
        }),
        signal,
        mayRenew: false,
      });
      if (response.status === 200 && isEventStream(response)) {
        failures = 0;
        for await (const text of textsOf(response, resumption)) await onText(text);
      } else {
        await response.body?.cancel();
        if (response.status !== 404 || !await isRenewed(session, options)) return;
        resumption.lastId = undefined;
      }
    } catch {
      failures++; // it is down, and may come back
    }
    const ownMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    await pause(resumption.retryMs ?? ownMs, signal).catch(() => {});
  }
}

/** Whether the session was lost and is another now; else the parent has no such stream. */
async function isRenewed(
  session: ParentSession,
  { fields, signal }: ListenOptions,
): Promise<boolean> {
  const before = session.id;
  const response = await session.send({ method: "POST", fields, body: PING, signal });
  await response.body?.cancel();
  return session.id !== before;
}
