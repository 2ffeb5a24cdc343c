/**
 * The one error class. Whatever fails in Bowire for a reason a person can act on is thrown as a
 * {@linkcode BowireError}; anything else that is thrown is a defect.
 *
 * @module
 */

/** The closed set of reasons. */
export type ErrorCode =
  | "invalid_argument"
  | "invalid_url"
  | "url_not_allowed"
  | "permission_denied"
  | "unknown_tool"
  | "unknown_protocol"
  | "unknown_service"
  | "unknown_method"
  | "not_found"
  | "not_discovered"
  | "unreachable"
  | "timeout"
  | "cancelled"
  | "too_large"
  | "too_many_redirects"
  | "bad_document"
  | "call_failed"
  | "plugin_failed"
  | "confirmation_refused"
  | "broken_file"
  | "file_failed"
  | "address_in_use"
  | "usage";

/** What a {@linkcode BowireError} is made of besides its message. */
export interface BowireErrorOptions {
  /** The next thing to do, usually a command or an argument. */
  readonly hint?: string;
  /** What was thrown below. */
  readonly cause?: unknown;
  /** Facts for programs: plain JSON data. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Whether the same request may succeed later without a change. @default false */
  readonly retryable?: boolean;
}

/**
 * An expected failure. Its message starts with the action that failed, quotes strings, and says
 * what is and what was wanted; the hint is the next step.
 *
 * @example
 * ```ts
 * import { BowireError } from "./mod.ts";
 * const error = new BowireError("usage", 'cannot bind to "carrier-pigeon": use stdio or http');
 * console.assert(error.code === "usage");
 * ```
 */
export class BowireError extends Error {
  /** Always `BowireError`. */
  override readonly name = "BowireError";
  /** The reason, for programs. */
  readonly code: ErrorCode;
  /** The next thing to do. */
  readonly hint: string | undefined;
  /** Facts for programs. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean;

  /** Makes an error; see the class for how a message is written. */
  constructor(code: ErrorCode, message: string, options: BowireErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.details = options.details;
    this.retryable = options.retryable ?? false;
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
