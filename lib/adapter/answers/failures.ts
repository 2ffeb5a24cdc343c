/**
 * Calls that failed as results of tools: what went wrong, whether to try again, and what to do.
 *
 * @module
 */
import { BowireError, toErrorData } from "../../errors/mod.ts";
import type { ContentOutcome } from "../../mcp/mod.ts";
import type { Invocation } from "../../model/mod.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { jsonOf, textBlock, toldOf } from "./results.ts";

/** Longest text on a failure that is shown, in characters. */
const MAX_BODY_CHARS = 10_000;
const MAX_STATUS_LENGTH = 100;

/** What a call is answered with that lacks credentials, whatever the protocol. */
const UNAUTHENTICATED = "Unauthenticated";
const CREDENTIALS_HINT =
  "Credentials of the API are set by whoever started the adapter (--header, --header-for).";

/** The result of a call that the target answered with an error. */
export function failureOf(invocation: Invocation, maxChars: number): ContentOutcome {
  const { status, retryable, response, metadata } = invocation;
  const hints = [invocation.hint, status === UNAUTHENTICATED ? CREDENTIALS_HINT : undefined]
    .filter((hint) => hint !== undefined);
  const hint = hints.length === 0 ? undefined : hints.join("\n");
  const told = toldOf(metadata);
  const { http_status: httpStatus, http_reason: httpReason } = metadata;
  const reason = [httpStatus, httpReason]
    .filter((part) => part !== undefined && part !== "").join(" ");
  const message = `the target answered ${cleanLine(status, MAX_STATUS_LENGTH)}` +
    (reason === "" ? "" : ` (HTTP ${cleanLine(reason, MAX_STATUS_LENGTH)})`);
  const body = response === null ? undefined : bodyOf(response, Math.min(maxChars, MAX_BODY_CHARS));
  const lines = [
    `The call failed: ${message}.`,
    retryText(retryable),
    hint ?? "",
    ...Object.entries(told).map(([name, value]) => `${name}: ${value}`),
    body === undefined ? "It said nothing more." : `It said:\n${body.text}`,
  ];
  return {
    kind: "content",
    content: [textBlock(lines.filter((line) => line !== "").join("\n"))],
    structured: {
      error: {
        code: "call_failed",
        status,
        ...(httpStatus === undefined ? {} : { httpStatus: Number(httpStatus) }),
        message,
        retryable,
        ...(hint === undefined ? {} : { hint }),
      },
      ...(body === undefined ? {} : { body: body.value }),
    },
    isError: true,
  };
}

/** The result of a call that could not be made. */
export function refusalOf(thrown: unknown): ContentOutcome {
  const error = toErrorData(thrown);
  const lines = [
    `The call failed: ${error.message}.`,
    thrown instanceof BowireError ? retryText(error.retryable) : "",
    error.hint ?? "",
  ];
  return {
    kind: "content",
    content: [textBlock(lines.filter((line) => line !== "").join("\n"))],
    structured: { error },
    isError: true,
  };
}

function retryText(isRetryable: boolean): string {
  return isRetryable
    ? "The same call may succeed later."
    : "The same call will fail again: change it first.";
}

/** What the target said, and the same as data; cut when it is long. */
function bodyOf(response: string, maxChars: number): { text: string; value: unknown } {
  if (response.length <= maxChars) return { text: response, value: jsonOf(response) ?? response };
  const text = `${response.slice(0, maxChars)}… (${response.length} characters in all)`;
  return { text, value: text };
}
