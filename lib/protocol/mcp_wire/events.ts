/**
 * Server-sent events out of the pieces of a body (WHATWG HTML, 9.2).
 *
 * @module
 */
import { createParser } from "eventsource-parser";
import { BowireError } from "../../errors/mod.ts";
import { DEFAULT_MAX_BYTES } from "../http/follow.ts";

/** One event. */
export interface ServerEvent {
  /** Empty for events that only carry an id. */
  readonly data: string;
  /** The name of the event; `message` when it has none. */
  readonly name: string;
  /** For `Last-Event-ID`. */
  readonly id: string | undefined;
  /** True for one at whose end the stream ended, so that some of it may be missing. */
  readonly mayLack: boolean;
}

/** What a stream says to those who come back to it. */
export interface Resumption {
  /** The id of the last event that had one. */
  lastId: string | undefined;
  /** How long to wait before coming back, in milliseconds. */
  retryMs: number | undefined;
}

/**
 * Reads events.
 *
 * @param resumption is kept up to date while they are read.
 * @throws {BowireError} `too_large` for an event of more than 16 MiB.
 */
export async function* readEvents(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  resumption: Resumption,
): AsyncGenerator<ServerEvent> {
  const events: ServerEvent[] = [];
  let failure: BowireError | undefined;
  let mayLack = false;
  const parser = createParser({
    maxBufferSize: DEFAULT_MAX_BYTES,
    onEvent({ data, event: name = "message", id }) {
      if (id !== undefined && !mayLack) resumption.lastId = id;
      events.push({ data, name, id, mayLack });
    },
    onRetry: (retryMs) => resumption.retryMs = retryMs,
    onError({ type }) {
      if (type !== "max-buffer-size-exceeded") return; // a field nobody knows is to be ignored
      failure = new BowireError("too_large", "the server sent an event of more than 16 MiB");
    },
  });
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    parser.feed(decoder.decode(piece, { stream: true }));
    if (failure !== undefined) throw failure;
    yield* events.splice(0);
  }
  parser.feed("\n"); // the last line may lack half of its end
  yield* events.splice(0);
  mayLack = true;
  parser.feed("\n"); // the last event may lack its empty line
  yield* events.splice(0);
}
