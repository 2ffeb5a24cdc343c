/**
 * One error, three faces: data for a tool result or problem document, and text for a terminal.
 *
 * @module
 */
import { BowireError } from "./error.ts";

/** An error as plain data. */
export interface ErrorData {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Turns anything thrown into data. An unexpected error keeps its message to the log and shows
 * only that something broke inside: its text may hold paths or secrets.
 */
export function toErrorData(thrown: unknown): ErrorData {
  if (!(thrown instanceof BowireError)) {
    return {
      code: "internal",
      message: "an internal error stopped the request",
      retryable: false,
      hint: "the log on stderr has the cause",
    };
  }
  return {
    code: thrown.code,
    message: thrown.message,
    retryable: thrown.retryable,
    ...(thrown.hint === undefined ? {} : { hint: thrown.hint }),
    ...(thrown.details === undefined ? {} : { details: thrown.details }),
  };
}

/** An error as lines for a terminal: the message, then the hint. */
export function toErrorText(thrown: unknown): string {
  const { message, hint } = toErrorData(thrown);
  return hint === undefined ? message : `${message}\n  ${hint}`;
}
