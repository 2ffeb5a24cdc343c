/**
 * How often one and the same may ask.
 *
 * @module
 */
import type { Context, MiddlewareHandler } from "hono";
import { rateLimiter } from "hono-rate-limiter";
import { BowireError } from "../errors/mod.ts";
import { parseIp } from "../gate/mod.ts";
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
      const { headers, body } = refusal(429, -32000, message);
      return context.newResponse(body, 429, Object.fromEntries(headers));
    },
  });
}

/** The network that an address is of: one of IPv4 by itself, all of a /64 of IPv6 (RFC 6177). */
export function networkOf(address: string): string {
  const text = parseIp(address)?.text ?? address;
  if (!text.includes(":")) return text;
  const [head = [], tail] = text.split("::").map((part) => part === "" ? [] : part.split(":"));
  if (tail === undefined) return head.slice(0, 4).join(":");
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].slice(0, 4).join(":");
}
