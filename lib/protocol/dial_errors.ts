/**
 * What went wrong on the way to a target, in words that hold no secret.
 *
 * @module
 */
import { BowireError, messageOf } from "../errors/mod.ts";
import { redactUrl, type Target } from "../gate/mod.ts";

/**
 * The error of a call that was ended before its answer.
 *
 * @param signal the caller's: when it has aborted, the caller gave up; else the time was over.
 */
export function abortError(target: Target, signal: AbortSignal, limitMs: number): BowireError {
  if (signal.aborted) return new BowireError("cancelled", `call to ${place(target)} was cancelled`);
  const message = `no answer from ${place(target)} within ${limitMs} ms`;
  return new BowireError("timeout", message, { retryable: true });
}

/**
 * What was thrown on the way to a target, in Bowire's words.
 *
 * @param signal the caller's; `bound` also aborts when the time of `limitMs` is over.
 */
export function refusalOf(
  error: unknown,
  target: Target,
  { signal, bound, limitMs }: { signal: AbortSignal; bound: AbortSignal; limitMs: number },
): BowireError {
  if (error instanceof BowireError) return error;
  return bound.aborted ? abortError(target, signal, limitMs) : dialError(target, error);
}

/** The error of an exchange that failed below HTTP. */
export function dialError(target: Target, error: unknown): BowireError {
  const denied = denialIn(error);
  if (denied !== undefined) {
    const { host, port } = target;
    const wanted = `${host}:${port}`;
    // The name was granted, the address behind it is not.
    const also = denied === wanted || denied === ""
      ? ""
      : ` and without a --deny-net that covers ${denied}`;
    return new BowireError(
      "permission_denied",
      `Deno does not let this process reach ${place(target)}`,
      {
        hint: `start it with --allow-net=${wanted}${also}`,
        details: { host, port },
        cause: error,
      },
    );
  }
  return new BowireError("unreachable", `cannot reach ${place(target)}: ${reasonOf(error)}`, {
    hint: "is the server running, and is the URL right?",
    retryable: true,
    cause: error,
  });
}

/** True when Deno's permissions were the reason. */
export function isDenied(error: unknown): boolean {
  return denialIn(error) !== undefined;
}

/**
 * The `host:port` that Deno did not let this process reach, empty when it does not say; `undefined`
 * when something else failed. A resolved address that is denied comes as text inside of a TypeError
 * from `fetch`, a name that may not be looked up as a Node error.
 */
function denialIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const denied = /Requires net access to "([^"]*)", run again/.exec(error.message)?.[1];
  const isDenial = error instanceof Deno.errors.NotCapable ||
    error.message.startsWith("getaddrinfo EPERM");
  return denied ?? (isDenial ? "" : denialIn(error.cause));
}

/** The innermost part of Deno's nested dial messages, without the URL that may hold a secret. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const text = messageOf(inner).replace(/ \(os error \d+\)/g, "");
  const nested =
    /(?:tcp connect error|dns error|tls handshake eof|client error \([A-Za-z]+\)): (.*)$/s.exec(
      text,
    );
  return redactUrl(nested?.[1] ?? text).replace(/^(?:tcp connect error|dns error): /, "").slice(
    0,
    300,
  );
}

/** A target in quotes, for messages. */
export function place(target: Target): string {
  return `"${redactUrl(target.url)}"`;
}
