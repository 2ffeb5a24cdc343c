/**
 * An HTTP answer as an invocation.
 *
 * @module
 */
import type { Invocation } from "../../lib/model/mod.ts";
import { decodeBody, headersToRecord, type HttpAnswer, redactUrl } from "../../lib/protocol/mod.ts";
import { linksIn } from "./links.ts";

/** Statuses with a name of their own; the others go by their class. */
const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: "InvalidArgument",
  401: "Unauthenticated",
  403: "PermissionDenied",
  404: "NotFound",
  408: "DeadlineExceeded",
  409: "AlreadyExists",
  429: "ResourceExhausted",
  501: "Unimplemented",
  503: "Unavailable",
};

const RETRYABLE = [408, 425, 429, 502, 503, 504];
/** Answers to a caller who did not show who they are, or may not do that. */
const REFUSALS = [401, 403];
const NOT_MODIFIED = 304;

/** The name of an HTTP status: that of the gRPC status it is nearest to. */
export function statusName(status: number): string {
  const name = STATUS_NAMES[status];
  if (name !== undefined) return name;
  if (status >= 500) return "Internal";
  if (status >= 400) return "FailedPrecondition";
  // A redirect that was not followed has no such name.
  return status >= 200 && status < 300 ? "OK" : String(status);
}

/** How a call is reported. */
export interface CallRecord {
  readonly status: string;
  /** The URL that was called; the answer's is reported if it is another. */
  readonly url: string;
  readonly startedMs: number;
  /** Credentials that the method asks for and the call lacked, in words. */
  readonly missing?: readonly string[];
}

/** Turns an answer into an invocation. */
export function toInvocation(answer: HttpAnswer, call: CallRecord): Invocation {
  const { text, base64 } = decodeBody(answer);
  const headers = headersToRecord(answer);
  const links = linksIn(headers["link"] ?? "", answer.url);
  const ok = answer.status >= 200 && answer.status < 300 || answer.status === NOT_MODIFIED;
  return {
    status: call.status,
    ok,
    retryable: RETRYABLE.includes(answer.status),
    durationMs: Math.round((performance.now() - call.startedMs) * 10) / 10,
    response: text,
    ...(base64 === undefined ? {} : { responseBinary: base64 }),
    ...(REFUSALS.includes(answer.status) && call.missing !== undefined && call.missing.length > 0
      ? { hint: hintAt(call.missing) }
      : {}),
    metadata: {
      ...headers,
      ...Object.fromEntries([...links].map(([relation, url]) => [`http_link_${relation}`, url])),
      http_status: String(answer.status),
      http_reason: answer.reason,
      ...(answer.url === call.url ? {} : { http_url: redactUrl(answer.url) }),
      ...(answer.isPartial === true ? { http_partial: "the stream went on" } : {}),
    },
  };
}

function hintAt(missing: readonly string[]): string {
  return `the API document asks for credentials that were not given: ${missing.join(", or ")}; ` +
    "give them as metadata under the name of the scheme or of the header";
}
