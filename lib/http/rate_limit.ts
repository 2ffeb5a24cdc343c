/**
 * How often one and the same may ask.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { BowireError } from "../errors/mod.ts";
import { refusal } from "../mcp/http/refusals.ts";

const WINDOW_MS = 60_000;

/**
 * Refuses who asks more often than so many times in a minute, with 429 (RFC 6585, section 4) and
 * `Retry-After` in seconds.
 *
 * @param keyOf who asks.
 * @throws {BowireError} `usage` for what is no number of requests.
 */
export function limitRate(limit: number, keyOf: (context: Context) => string): MiddlewareHandler {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new BowireError("usage", `cannot limit the rate to ${limit} requests a minute`, {
      hint: "give a whole number from 1",
    });
  }
  return rateLimiter({
    windowMs: WINDOW_MS,
    limit,
    standardHeaders: "draft-7",
    keyGenerator: keyOf,
    handler(context) {
      const message = `Too many requests: at most ${limit} a minute are answered`;
      const { status, headers, body } = refusal(429, -32000, message);
      for (const [name, value] of headers) context.header(name, value);
      return new Response(body, { status, headers: context.res.headers });
    },
  });
}

/** What one network has of addresses: one of IPv4, or a /64 of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = [], tail = []] = address.split("::").map((part) => part.split(":"));
  const zeros = Array(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return [...head, ...address.includes("::") ? zeros : [], ...tail].slice(0, 4).join(":");
}
