/**
 * One message of a stream.
 *
 * @module
 */

/** A message that came from a stream. Plain data: it crosses a worker's border unchanged. */
export interface Frame {
  /** The message as text, JSON where the protocol has JSON; `null` when it is binary. */
  readonly data: string | null;
  /** The message's bytes in base64 when they are not text. */
  readonly dataBinary?: string;
  /** When it came, in milliseconds since the stream was asked for. */
  readonly atMs: number;
}
