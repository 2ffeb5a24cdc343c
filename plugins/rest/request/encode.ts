/**
 * Text for the places of a request: percent-encoded where it is part of a URL, checked in cookies.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { ParameterPlace } from "../method/parameter.ts";

/**
 * The reserved characters that mean nothing of their own in a value: not `/`, `?` and `#` in a path
 * (OpenAPI 3.2, "Path Templating"), not what ends or splits a query (Appendix C) or a cookie (RFC
 * 6265, 4.1.1).
 */
const HARMLESS: Readonly<Record<ParameterPlace | "wholeQuery", string>> = {
  path: ":@!$&'()*+,;=",
  query: ":/?@!$'()*,;",
  wholeQuery: ":/?@!$&'()*+,;=",
  header: "",
  cookie: ":/?#[]@!$&'()*+=",
};

/** Percent-encodes all but the unreserved characters (RFC 3986, 2.3). */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Percent-encodes as `allowReserved` asks for: reserved characters stay, as do triples such as
 * `%20` (RFC 6570, 3.2.3), but none that would be read as structure.
 *
 * @param delimiters what stands before the value or between it and others.
 */
export function encodeReserved(
  text: string,
  { place, delimiters }: { place: keyof typeof HARMLESS; delimiters: string },
): string {
  return text.toWellFormed().replace(/%[0-9A-Fa-f]{2}|[^]/gu, (part) => {
    const isTriple = part.length === 3;
    const isKept = isTriple || HARMLESS[place].includes(part) && !delimiters.includes(part);
    return isKept ? part : encodeText(part);
  });
}

/**
 * Text of a cookie that is sent as it is.
 *
 * @throws {BowireError} `invalid_argument` when another cookie would begin in it.
 */
export function checkCookieText(name: string, text: string): string {
  if (!text.includes(";")) return text;
  throw new BowireError(
    "invalid_argument",
    `cannot send the cookie ${JSON.stringify(name)}: a semicolon in it would begin another cookie`,
    { hint: "write it the way the server decodes it, for instance as %3B" },
  );
}
