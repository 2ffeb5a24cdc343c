/**
 * Calls that failed as results of tools: what went wrong, whether to try again, and what to do.
 *
 * @module
 */
import { BowireError, type ErrorData, toErrorData } from "../../errors/mod.ts";
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
  const told = toErrorData(thrown);
  const { hint: _, ...data } = told;
  const hint = hintOf(told);
  const error: ErrorData = hint === undefined ? data : { ...data, hint };
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

/** Clauses of hints that speak of what agents of an adapter do not have. */
const NOT_HERE = /^validate: false|\bbowire\.[a-z]+/;

/** What an agent of an adapter can do about an error. */
function hintOf({ code, hint, details }: ErrorData): string | undefined {
  const url = typeof details?.["url"] === "string" ? URL.parse(details["url"]) : null;
  if (code === "url_not_allowed" && url !== null) {
    return `Whoever started the adapter can allow it: --allow-url ${url.origin}`;
  }
  const clauses = hint?.split("; ").filter((clause) => !NOT_HERE.test(clause)) ?? [];
  return clauses.length === 0 ? undefined : clauses.join("; ");
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
