/**
 * What keeps a server from being asked, in words for people.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import { abortError, type CallContext, place, type Target } from "../../lib/protocol/mod.ts";
import { cleanLine } from "../../lib/schema/clean_text.ts";
import { RpcFailure } from "./client/failure.ts";
import { readEvents } from "../../lib/protocol/mcp_wire/events.ts";
import { isEventStream } from "./wire/http_reading.ts";
import { HttpRefusal } from "./wire/http_refusal.ts";

const MAX_MESSAGE_LENGTH = 1000;
/** How long the older transport is looked for, in milliseconds. */
const LOOK_MS = 2000;

/** Runs something, and tells in Bowire's words what the server refused. */
export async function explained<T>(
  target: Target,
  context: CallContext,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RpcFailure) throw rpcError(target, error);
    if (!(error instanceof HttpRefusal)) throw isEnd(error, context) ? end(target, context) : error;
    if (await isOlderTransport(target, error, context)) throw olderTransport(target);
    throw error.toError(target);
  }
}

/** True when a wait ended with the call, and not with what was waited for. */
function isEnd(error: unknown, { signal }: CallContext): boolean {
  return signal.aborted && !(error instanceof BowireError);
}

function end(target: Target, { givenUp, timeoutMs }: CallContext): BowireError {
  return abortError(target, givenUp, timeoutMs);
}

function rpcError(target: Target, { code, message }: RpcFailure): BowireError {
  const said = cleanLine(message, MAX_MESSAGE_LENGTH);
  return new BowireError("call_failed", `${place(target)} answered with error ${code}: ${said}`, {
    details: { code },
  });
}

/** Whether the URL gives the stream of events by which revision 2024-11-05 began. */
async function isOlderTransport(
  target: Target,
  { status }: HttpRefusal,
  context: CallContext,
): Promise<boolean> {
  if (![400, 404, 405].includes(status) || context.signal.aborted) return false;
  try {
    const headers = [["accept", "text/event-stream"]] as const;
    const response = await context.open(target, { headers, timeoutMs: LOOK_MS });
    if (isEventStream(response)) {
      const nothing = { lastId: undefined, retryMs: undefined };
      for await (const { name } of readEvents(response.body, nothing)) return name === "endpoint";
    }
    response.cancel();
    return false;
  } catch {
    return false;
  }
}

function olderTransport(target: Target): BowireError {
  return new BowireError(
    "not_discovered",
    `${place(target)} speaks the older transport of MCP, HTTP+SSE of revision 2024-11-05, ` +
      "which is not supported",
    { hint: "ask for the server's streamable HTTP endpoint, often /mcp, or run it over stdio" },
  );
}
