/**
 * The messages of a stream, and its end.
 *
 * @module
 */
import type { Invocation } from "./invocation.ts";

/** A message that came from a stream. Plain data: it crosses a worker's border unchanged. */
export interface Frame {
  /** The message as text, JSON where the protocol has JSON; `null` when it is binary. */
  readonly data: string | null;
  /** The message's bytes in base64 when they are not text. */
  readonly dataBinary?: string;
  /** Response headers and the like; with the first frame alone. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** When it came, in milliseconds since the stream was asked for. */
  readonly atMs: number;
}

/**
 * What the target said at the end of a stream. `response` is what it says about a failure. A status
 * that is an error is told here, as {@linkcode Invocation} tells it of a call.
 */
export type StreamEnd = Omit<Invocation, "durationMs" | "responseBinary">;

/** The frames of one stream. One that is ended by its reader returns nothing. */
export type FrameStream = AsyncGenerator<Frame, StreamEnd | void, undefined>;
