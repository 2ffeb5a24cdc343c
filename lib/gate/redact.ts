/**
 * Secrets are recognised by the name they travel under and masked wherever text leaves Bowire.
 *
 * @module
 */

import { isRawJson } from "../schema/mod.ts";

/** What stands in place of a secret. */
export const MASK = "***";

// Whole words of a name, whatever its spelling: `X-Api-Key`, `apiKey`, `client_secret`, `accessToken`.
const SECRET_NAME = new RegExp(
  "(^|_)(" +
    "authorization|authentication|proxy_authorization|cookie|set_cookie|cookies|" +
    "password|passwd|passphrase|pwd|(?:client)?secrets?|credential|credentials|" +
    "(?:access|auth|csrf|id|refresh|session|xsrf)?tokens?|jwt|bearer|" +
    "(?:access|account|api|app|application|auth|encryption|functions|license|master|private|" +
    "secret|shared|signing|subscription)_?key|" +
    "(?:j?session|phpsess)_?id|signature|sig|csrf|xsrf|otp|pin_?code" +
    ")(_|$)",
);
const HARMLESS_NAME = new RegExp(
  "(^|_)(page|next|continuation|sync)_tokens?$|^tokens?_(count|used|type|url|endpoint)$|" +
    "(^|_)(max|new|total|prompt|completion|input|output|reasoning)_tokens$", // of a language model
);

/** True when a header, query, form, JSON or variable name is one that carries secrets. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return SECRET_NAME.test(words) && !HARMLESS_NAME.test(words);
}

/** How many URLs inside a URL are looked into, one in the query of the other. */
const MAX_NESTED_URLS = 3;

/** A URL for people and logs: userinfo and secret query values masked, the rest as given. */
export function redactUrl(url: string): string {
  return redactNested(url, MAX_NESTED_URLS);
}

/** A text for people and logs: credentials of headers masked, and what URLs in it hold. */
export function redactText(text: string): string {
  return redactUrl(text.replace(/\b(Bearer|Basic|Digest|Negotiate)\s+[^\s"',;)]+/gi, `$1 ${MASK}`));
}

function redactNested(url: string, depth: number): string {
  return url
    .replace(/(:\/\/)[^/?#\s]*@/g, `$1${MASK}@`)
    .replace(/^[^/?#\s@:]*:[^/?#\s]*@/, `${MASK}@`) // the scheme was forgotten
    .replace(/([?&#])([^?=&#\s]+)=([^&#\s]+)/g, (whole, mark, name, value) => {
      if (isSecretName(decode(name))) return `${mark}${name}=${MASK}`;
      const inner = decode(value);
      const redacted = depth === 0 ? inner : redactNested(inner, depth - 1);
      return redacted === inner ? whole : `${mark}${name}=${encodeURIComponent(redacted)}`;
    });
}

/** Masks secrets in a header-like record: by name, and in URLs that a value holds. */
export function redactRecord(record: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map((
      [name, value],
    ) => [name, isSecretName(name) ? MASK : redactUrl(value)]),
  );
}

/** Masks secrets in JSON data at any depth: strings and numbers under a secret name. */
export function redactJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [name, member],
    ) => [name, isSecretName(name) ? maskLeaves(member) : redactJson(member)]),
  );
}

function maskLeaves(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskLeaves);
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, maskLeaves(member)]),
    );
  }
  return value === "" || value === null || typeof value === "boolean" ? value : MASK;
}

/** True for an object of members; a number that is kept as text has none. */
function isObject(value: unknown): value is object {
  return value !== null && typeof value === "object" && !isRawJson(value);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
