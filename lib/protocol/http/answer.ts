/**
 * Reads a response whole, within a bound.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import type { Target } from "../../gate/mod.ts";
import { place } from "../dial_errors.ts";
import type { HttpAnswer, HttpStream } from "./exchange.ts";

/** How much of a body is read at once, in bytes. */
const READ_BYTES = 64 * 1024;

// They may go on for ever, and each piece of them stands alone.
const STREAM_TYPE =
  /^(text\/event-stream|application\/(x-)?(ndjson|jsonl|json-seq|jsonlines)|multipart\/x-mixed-replace)\b/i;

/** Bounds of one answer. */
export interface AnswerLimits {
  /** Most bytes of its body after decompression. */
  readonly maxBytes: number;
  /** How long a stream is listened to, in milliseconds from now. */
  readonly streamMs: number;
}

/**
 * Reads a response. Of a stream that goes beyond a limit, what came until then is the answer.
 *
 * @throws {BowireError} `too_large`.
 */
export async function readAnswer(
  target: Target,
  response: Response,
  { maxBytes, streamMs }: AnswerLimits,
): Promise<HttpAnswer> {
  const isStream = STREAM_TYPE.test(response.headers.get("content-type") ?? "");
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isPartial = false;
  const reader = readerOf(response);
  const timer = isStream
    ? setTimeout(() => {
      isPartial = true;
      reader?.cancel().catch(() => {}); // it failed in the meantime
    }, streamMs)
    : undefined;
  try {
    for await (const chunk of piecesOf(reader)) {
      size += chunk.byteLength;
      if (size > maxBytes && !isStream) throw tooLarge(target, maxBytes);
      isPartial ||= size > maxBytes;
      if (isPartial) break;
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(timer);
  }
  return {
    ...headOf(target, response),
    body: join(chunks),
    ...(isPartial ? { isPartial } : {}),
  };
}

/** What is known of an answer before its body. */
export function headOf({ url }: Target, response: Response): Omit<HttpAnswer, "body"> {
  const { status, statusText: reason } = response;
  return { url, status, reason, headers: [...response.headers] };
}

/** The pieces of a response's body. One who stops reading them lets go of the connection. */
export function readPieces(response: Response): Pick<HttpStream, "body" | "cancel"> {
  const reader = readerOf(response);
  return {
    body: piecesOf(reader),
    cancel: () => void reader?.cancel().catch(() => {}), // it failed in the meantime
  };
}

function readerOf({ body }: Response): ReadableStreamBYOBReader | undefined {
  return body?.getReader({ mode: "byob" });
}

/**
 * The pieces of a body, copied out of one buffer that is used again and again: the chunks that the
 * stream makes by itself keep 64 KiB of memory each, however short they are.
 */
async function* piecesOf(
  reader: ReadableStreamBYOBReader | undefined,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (reader === undefined) return;
  let buffer = new ArrayBuffer(READ_BYTES);
  try {
    while (true) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value.slice();
      buffer = value.buffer;
    }
  } finally {
    await reader.cancel(); // closes the connection when the rest is not wanted
  }
}

function join(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

function tooLarge(target: Target, maxBytes: number): BowireError {
  const message = `the answer of ${place(target)} is larger than ${maxBytes} bytes`;
  return new BowireError("too_large", message, {
    hint: "ask for less: a filter, a page size, a range",
  });
}
