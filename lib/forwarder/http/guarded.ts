/**
 * A stream of events on its way through: whole events, and an error for each request that the parent
 * leaves without an answer, so that nobody waits for ever.
 *
 * @module
 */
import { createParser } from "eventsource-parser";
import type { BowireError } from "../../errors/mod.ts";
import { failureText, isAnswer, keyOf, type Message, readMessages } from "../message.ts";
import { wholeEvents } from "../blocks.ts";

/** What a stream is held against. */
export interface GuardOptions {
  /** The requests that wait for an answer in it. */
  readonly requests: readonly Message[];
  /** Aborts when nobody listens any more. */
  readonly signal: AbortSignal;
  /** The error of a stream that broke, or that ended too early when nothing was thrown. */
  failure(thrown?: unknown): BowireError;
}

/** The events of a stream, byte for byte, and what they lack. */
export async function* guarded(
  body: ReadableStream<Uint8Array>,
  { requests, signal, failure }: GuardOptions,
): AsyncGenerator<Uint8Array> {
  const open = new Map(requests.map(({ id }) => [keyOf(id), id]));
  let isResumable = false;
  const parser = createParser({
    onEvent({ id, data }) {
      isResumable ||= id !== undefined;
      if (open.size > 0) { for (const key of answeredIn(data)) open.delete(key); }
    },
  });
  const decoder = new TextDecoder();
  let error: BowireError | undefined;
  try {
    for await (const block of wholeEvents(body)) {
      if (open.size > 0) parser.feed(decoder.decode(block, { stream: true }));
      yield block;
    }
    // Who has seen an id may come back for the rest (MCP 2025-11-25, transports, resumability).
    if (!isResumable) error = failure();
  } catch (thrown) {
    error = failure(thrown);
  }
  if (error === undefined || signal.aborted) return;
  for (const id of open.values()) {
    yield new TextEncoder().encode(`event: message\ndata: ${failureText(id, error)}\n\n`);
  }
}

function answeredIn(data: string): string[] {
  try {
    return readMessages(data).filter(isAnswer).map(({ id }) => keyOf(id));
  } catch {
    return []; // the child will make of it what it can
  }
}
