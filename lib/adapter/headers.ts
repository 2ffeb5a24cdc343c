/**
 * Headers of a client's request that go on to targets: only those that the operator names, and none
 * that belong to the client's own connection.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";

type Texts = Readonly<Record<string, string>>;

/**
 * Headers that are never handed on: credentials that were meant for Bowire, and what speaks of one
 * connection (RFC 9110, section 7.6.1) or one body.
 */
const NEVER = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "host",
  "origin",
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
]);
const NEVER_PREFIXES = ["content-", "mcp-", "proxy-", "sec-"];

/** A token (RFC 9110, section 5.6.2); names with two underscores in front steer Bowire itself. */
const NAME = /^(?!__)[\w!#$%&'*+.^`|~-]+$/;

/**
 * Checks the names of headers that are handed on.
 *
 * @returns them in lower case.
 * @throws {BowireError} `usage` for one that must not be.
 */
export function checkForwarded(names: readonly string[]): readonly string[] {
  return names.map((given) => {
    const name = given.toLowerCase();
    const isRefused = NEVER.has(name) || NEVER_PREFIXES.some((prefix) => name.startsWith(prefix));
    if (NAME.test(name) && !isRefused) return name;
    throw new BowireError(
      "usage",
      `cannot forward the header "${given}": ` +
        (isRefused ? "it belongs to the client's own connection" : "that is no name of a header"),
      { hint: "give headers for the targets themselves as metadata" },
    );
  });
}

/** The headers that a client sent and that are handed on, but for those that the operator set. */
export function forwardedHeaders(
  inbound: Texts,
  { names, set }: { readonly names: readonly string[]; readonly set: Texts },
): Texts {
  const taken = new Set(Object.keys(set).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(inbound).filter(([name]) => names.includes(name) && !taken.has(name)),
  );
}

/** Both records; of names that differ by case alone, the one above counts. */
export function overlay(below: Texts, above: Texts): Texts {
  const taken = new Set(Object.keys(above).map((name) => name.toLowerCase()));
  const rest = Object.entries(below).filter(([name]) => !taken.has(name.toLowerCase()));
  return { ...Object.fromEntries(rest), ...above };
}
