/**
 * One finished call.
 *
 * @module
 */

/** What came back from a call. Plain data: it crosses a worker's border unchanged. */
export interface Invocation {
  /** The protocol's status name: `OK`, `NotFound`, `Unavailable` … or a number for ad-hoc calls. */
  readonly status: string;
  /** True when the target did what was asked. */
  readonly ok: boolean;
  /** True when the same call may succeed later without a change (busy, unavailable, timed out). */
  readonly retryable: boolean;
  /** Milliseconds from sending to the last byte. */
  readonly durationMs: number;
  /** The answer as text, JSON where the protocol has JSON; `null` when it is empty or binary. */
  readonly response: string | null;
  /** The answer's bytes in base64 when they are not text. */
  readonly responseBinary?: string;
  /** Why it may have failed and what to do about it, where the protocol knows. */
  readonly hint?: string;
  /** Response headers, trailers and protocol notes (`http_status`, `http_reason` …). */
  readonly metadata: Readonly<Record<string, string>>;
}
