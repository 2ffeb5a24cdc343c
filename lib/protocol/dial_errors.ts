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

/** The error of an exchange that failed below HTTP. */
export function dialError(target: Target, error: unknown): BowireError {
  if (error instanceof Deno.errors.NotCapable) {
    return new BowireError(
      "permission_denied",
      `Deno does not let this process reach ${place(target)}`,
      {
        hint: `start it with --allow-net=${target.host}:${target.port}`,
        details: { host: target.host, port: target.port },
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
