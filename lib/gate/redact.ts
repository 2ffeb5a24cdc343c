/**
 * Secrets are recognised by the name they travel under and masked wherever text leaves Bowire.
 *
 * @module
 */

/** What stands in place of a secret. */
export const MASK = "***";

// Whole words of a name, whatever its spelling: `X-Api-Key`, `apiKey`, `client_secret`, `accessToken`.
const SECRET_NAME = new RegExp(
  "(^|_)(" +
    "authorization|authentication|proxy_authorization|cookie|set_cookie|cookies|" +
    "password|passwd|passphrase|pwd|secret|secrets|credential|credentials|" +
    "token|tokens|jwt|bearer|api_?key|apikey|access_?key|private_?key|secret_?key|" +
    "client_?secret|session_?id|sessionid|signature|sig|csrf|xsrf|otp|pin_?code" +
    ")(_|$)",
);
const HARMLESS_NAME =
  /(^|_)(page|next|next_page|continuation|sync)_tokens?$|^tokens?_(count|used|type|url|endpoint)$/;

/** True when a header, query, form, JSON or variable name is one that carries secrets. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  return SECRET_NAME.test(words) && !HARMLESS_NAME.test(words);
}

/** A URL for people and logs: userinfo and secret query values masked, the rest as given. */
export function redactUrl(url: string): string {
  return url
    .replace(/(:\/\/)[^/?#@\s]*@/g, `$1${MASK}@`)
    .replace(
      /([?&#])([^=&#\s]+)=([^&#\s]*)/g,
      (whole, mark, name, value) =>
        value !== "" && isSecretName(decode(name)) ? `${mark}${name}=${MASK}` : whole,
    );
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
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [name, member],
    ) => [name, isSecretName(name) ? maskLeaves(member) : redactJson(member)]),
  );
}

function maskLeaves(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskLeaves);
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, maskLeaves(member)]),
    );
  }
  return value === "" || value === null || typeof value === "boolean" ? value : MASK;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
