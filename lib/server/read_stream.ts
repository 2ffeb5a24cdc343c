/**
 * Reads a stream until it ends or a limit is reached.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError, toErrorData } from "../errors/mod.ts";
import { redactRecord } from "../gate/mod.ts";
import type { Frame, FrameStream, StreamEnd } from "../model/mod.ts";
import { MAX_TIMER_MS } from "../protocol/mod.ts";
import { failureOf } from "./call_shapes.ts";

/** How much longer than its window a call may take, in milliseconds: the window is to end it. */
export const CALL_SLACK_MS = 5000;
/** Most characters of what a target says at the end. */
const MAX_RESPONSE_CHARS = 20_000;

/** Why a stream is read no further. */
export type StopReason = "time" | "frames" | "bytes" | "end" | "error";

/** Limits of a reading; there is none where one is left out. */
export interface ReadLimits {
  /** From the call on, in milliseconds. */
  readonly windowMs?: number | undefined;
  readonly maxFrames?: number | undefined;
  /** Of all frames together, as UTF-8; the frame that goes beyond it is not taken. */
  readonly maxBytes?: number | undefined;
}

/** Who reads. */
export interface StreamReader {
  /** Aborts when nobody wants the frames any more. */
  readonly signal: AbortSignal;
  /** Takes one frame; the next is asked for when it has settled. */
  take(frame: Frame): void | Promise<void>;
}

/** How a reading ended. */
export interface StreamReading {
  readonly stoppedBecause: StopReason;
  readonly frameCount: number;
  /** Milliseconds from the call on. */
  readonly elapsedMs: number;
  /** What came before the first frame: response headers and the like. */
  readonly metadata?: Frame["metadata"] | undefined;
  /** What the target said at the end, if it came to that. */
  readonly end?: StreamEnd | undefined;
  /** What ended a stream that had begun. */
  readonly error?: BowireError;
}

/**
 * Hands frame after frame to a reader, and lets go of the stream whatever happens.
 *
 * @param open asks for the stream; its signal aborts when the reading is over.
 * @throws {BowireError} what the stream throws before its first frame, and `cancelled` when the
 * reader gives up.
 */
export async function readStream(
  open: (signal: AbortSignal) => FrameStream,
  { windowMs = MAX_TIMER_MS, maxFrames = Infinity, maxBytes = Infinity }: ReadLimits,
  reader: StreamReader,
): Promise<StreamReading> {
  const startedMs = performance.now();
  const { signal } = reader;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(windowMs, MAX_TIMER_MS));
  const frames = open(AbortSignal.any([signal, over.signal]));
  let frameCount = 0;
  let bytes = 0;
  let metadata: Frame["metadata"];
  const readingOf = (
    stoppedBecause: StopReason,
    more: Pick<StreamReading, "end" | "error"> = {},
  ): StreamReading => {
    const elapsedMs = Math.round(performance.now() - startedMs);
    return { stoppedBecause, frameCount, elapsedMs, metadata, ...more };
  };
  try {
    while (frameCount < maxFrames) {
      const { done, value } = await frames.next();
      if (signal.aborted) throw new BowireError("cancelled", "cannot read on: it was cancelled");
      if (over.signal.aborted) return readingOf("time"); // what came too late does not count
      if (done === true) {
        return readingOf(value?.ok === false ? "error" : "end", { end: value ?? undefined });
      }
      metadata ??= value.metadata;
      bytes += Buffer.byteLength(textOf(value));
      if (bytes > maxBytes) return readingOf("bytes");
      frameCount++;
      await reader.take(value);
    }
    return readingOf("frames");
  } catch (error) {
    if (signal.aborted) throw error;
    if (over.signal.aborted) return readingOf("time");
    if (frameCount === 0 || !(error instanceof BowireError)) throw error;
    return readingOf("error", { error });
  } finally {
    clearTimeout(timer);
    frames.return().catch(() => {}); // not waited for, as the caller does not
    over.abort();
  }
}

/** A frame as text: what is not text is base64. */
export function textOf({ data, dataBinary = "" }: Frame): string {
  return data ?? dataBinary;
}

/** The end of a reading as a result tells it, without secrets. */
export function viewEnd({ end, error, metadata }: StreamReading) {
  const failure = error === undefined ? end && failureOf(end) : toErrorData(error);
  return {
    ...(end === undefined ? {} : { status: end.status }),
    metadata: redactRecord({ ...metadata, ...end?.metadata }),
    ...(end?.response ? { response: end.response.slice(0, MAX_RESPONSE_CHARS) } : {}),
    ...(failure === undefined ? {} : { error: failure }),
  };
}
