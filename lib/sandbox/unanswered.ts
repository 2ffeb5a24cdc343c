/**
 * How calls end that their worker does not answer.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { redactUrl } from "../gate/mod.ts";
import { type Order, type Outcome, toPlainError } from "./border.ts";

/** The caller gave it up, or this Bowire was closed. */
export function cancelled(): Outcome {
  return { error: toPlainError(new BowireError("cancelled", "the call was cancelled")) };
}

/** The worker has ended. */
export function lost({ url }: Order): Outcome {
  const error = new BowireError(
    "plugin_failed",
    `call to "${redactUrl(url)}" was lost: the worker that runs plugins ended`,
    { hint: "try again, a new one takes over; the log on stderr has the cause", retryable: true },
  );
  return { error: toPlainError(error) };
}
