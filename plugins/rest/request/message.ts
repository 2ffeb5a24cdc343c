/**
 * The message of a call, as JSON data.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { Call } from "../../../lib/protocol/mod.ts";
import { parseJson } from "../../../lib/schema/exact_json.ts";
import { checkDepth } from "../document/json.ts";

/**
 * The one message of a call, parsed; no message and empty text are an object without arguments.
 *
 * @throws {BowireError} `invalid_argument`.
 */
export function readMessage({ method, messages }: Call): unknown {
  if (messages.length > 1) {
    throw new BowireError(
      "invalid_argument",
      `cannot call "${method}" with ${messages.length} messages: it takes one`,
    );
  }
  const [text = ""] = messages;
  if (text.trim() === "") return {};
  try {
    return checkDepth(parseJson(text));
  } catch (error) {
    // The parser's own words quote the message, which may hold a secret.
    const reason = error instanceof RangeError ? "is nested too deep" : "is not JSON";
    throw new BowireError("invalid_argument", `cannot call "${method}": the message ${reason}`, {
      hint: 'write the arguments as a JSON object, as in {"id": 1}',
      cause: error,
    });
  }
}
