/**
 * Bodies of requests, read whole within bounds.
 *
 * @module
 */
import { readRequestBody } from "@modelcontextprotocol/server";
import { refusal } from "./refusals.ts";

/** Bounds of a request's body. */
export interface BodyLimits {
  /** Most bytes of it. @default 16777216 */
  readonly maxBodyBytes?: number | undefined;
  /** How long it may take to come, in milliseconds. @default 30000 */
  readonly bodyTimeoutMs?: number | undefined;
}

/** Largest body where nothing is said, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;

/**
 * The body of a POST, `undefined` for any other request; or the answer to one that is too large
 * (RFC 9110, section 15.5.14) or comes too slowly (section 15.5.9).
 */
export async function readBody(
  request: Request,
  { maxBodyBytes = MAX_BODY_BYTES, bodyTimeoutMs = BODY_TIMEOUT_MS }: BodyLimits = {},
): Promise<string | undefined | Response> {
  if (request.method !== "POST") return undefined;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), bodyTimeoutMs);
  try {
    const read = await Promise.race([readRequestBody(request, maxBodyBytes), late]);
    if (read === undefined) return tooSlow(bodyTimeoutMs);
    return read.tooLarge ? tooLarge(maxBodyBytes) : read.text;
  } finally {
    clearTimeout(timer);
  }
}

function tooLarge(maxBytes: number): Response {
  return refusal(413, -32600, `Invalid Request: the body is larger than ${maxBytes} bytes`);
}

function tooSlow(limitMs: number): Response {
  return refusal(408, -32600, `Invalid Request: the body did not come in ${limitMs} ms`);
}
