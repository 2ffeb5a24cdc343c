/**
 * A line in the log for each call.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import type { CallEvent } from "../call/mod.ts";
import { toErrorData } from "../errors/mod.ts";
import { redactUrl } from "../gate/mod.ts";

const log = getLogger(["bowire", "call"]);

/** Notes how a call ended, without what was sent and what came back. */
export function logCall(event: CallEvent): void {
  if (event.kind !== "done" && event.kind !== "failed") return;
  const { service, method, target } = event.call;
  const what = `${event.protocol} ${service}/${method} at ${redactUrl(target.url)}`;
  if (event.kind === "failed") {
    log.info("{what} failed: {reason}", { what, reason: toErrorData(event.error).message });
  } else {
    const { status, durationMs } = event.invocation;
    log.info("{what}: {status} in {durationMs} ms", { what, status, durationMs });
  }
}
