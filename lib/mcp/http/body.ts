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

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const BODY_TIMEOUT_MS = 30_000;

/**
 * The body of a POST, `undefined` for any other request; or the answer to one that is too large
 * (RFC 9110, section 15.5.14), comes too slowly (section 15.5.9) or breaks off.
 */
export async function readBody(
  request: Request,
  { maxBodyBytes = MAX_BODY_BYTES, bodyTimeoutMs = BODY_TIMEOUT_MS }: BodyLimits = {},
): Promise<string | undefined | Response> {
  if (request.method !== "POST") return undefined;
  const { promise: late, resolve } = Promise.withResolvers<Response>();
  const timer = setTimeout(() => resolve(tooSlow(bodyTimeoutMs)), bodyTimeoutMs);
  try {
    return await Promise.race([readBounded(request, maxBodyBytes), late]);
  } catch {
    return refusal(400, -32600, "Invalid Request: the body broke off"); // whoever may still hear it
  } finally {
    clearTimeout(timer);
  }
}

async function readBounded(request: Request, maxBytes: number): Promise<string | Response> {
  const length = request.headers.get("content-length");
  // The runtime holds a body to its length, and reads it with a fifth of the memory.
  if (length !== null && Number(length) <= maxBytes) return await request.text();
  const read = await readRequestBody(request, maxBytes);
  return read.tooLarge ? tooLarge(maxBytes) : read.text;
}

function tooLarge(maxBytes: number): Response {
  return refusal(413, -32600, `Invalid Request: the body is larger than ${maxBytes} bytes`);
}

function tooSlow(limitMs: number): Response {
  return refusal(408, -32600, `Invalid Request: the body did not come in ${limitMs} ms`);
}
