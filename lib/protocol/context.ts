/**
 * What a plugin may do to the world: admit a URL and fetch from it. The global `fetch` is called
 * here and nowhere else.
 *
 * @module
 */
import { BowireError, messageOf } from "../errors/mod.ts";
import { type Allowlist, redactUrl, type Target } from "../gate/mod.ts";
import type { HttpAnswer, HttpRequest } from "./exchange.ts";

/** The guarded way out for one call. */
export interface CallContext {
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /**
   * Admits a URL that a document or server supplied.
   *
   * @param via what supplied it, for the refusal.
   * @throws {BowireError} `url_not_allowed` or `invalid_url`.
   */
  admit(url: string, via: string): Target;
  /**
   * One HTTP exchange with an admitted target. Redirects are followed by hand, each hop admitted;
   * the caller's headers do not cross to another origin.
   *
   * @throws {BowireError} `url_not_allowed`, `unreachable`, `timeout`, `cancelled`, `too_large`,
   * `too_many_redirects` or `permission_denied`.
   */
  fetch(target: Target, request?: HttpRequest): Promise<HttpAnswer>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;
/** How much of a body is read at once, in bytes. */
const READ_BYTES = 64 * 1024;

// What may follow a redirect to another origin: nothing that can carry a credential.
const PORTABLE_HEADERS = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/**
 * Makes the context of one call. Its time starts now.
 *
 * @param timeoutMs the limit for all exchanges of the call together, in milliseconds.
 */
export function createContext(
  allowlist: Allowlist,
  signal: AbortSignal,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): CallContext {
  const deadline = AbortSignal.timeout(timeoutMs);
  return {
    signal,
    admit: (url, via) => allowlist.admit(url, via),
    async fetch(target, request = {}) {
      const limitMs = Math.min(request.timeoutMs ?? timeoutMs, timeoutMs);
      const timer = AbortSignal.any([deadline, AbortSignal.timeout(limitMs)]);
      try {
        return await exchange(allowlist, target, request, AbortSignal.any([signal, timer]));
      } catch (error) {
        if (error instanceof BowireError) throw error;
        if (signal.aborted) {
          throw new BowireError("cancelled", `call to ${place(target)} was cancelled`);
        }
        if (timer.aborted) {
          const waited = `no answer from ${place(target)} within ${limitMs} ms`;
          throw new BowireError("timeout", waited, { retryable: true });
        }
        throw dialError(target, error);
      }
    },
  };
}

async function exchange(
  allowlist: Allowlist,
  first: Target,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const maxRedirects = request.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  let target = first;
  let method = request.method ?? "GET";
  let body = request.body;
  let headers = request.headers ?? [];
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await fetch(target.url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
      return await readAnswer(target, response, request.maxBytes ?? DEFAULT_MAX_BYTES);
    }
    await response.body?.cancel();
    const next = allowlist.admit(
      URL.parse(location, target.url)?.href ?? location,
      `redirect ${hop + 1} from ${redactUrl(target.url)}`,
    );
    if (next.origin !== target.origin) {
      headers = headers.filter(([name]) => PORTABLE_HEADERS.has(name.toLowerCase()));
    }
    if (response.status === 303 || (response.status < 303 && method === "POST")) {
      method = method === "HEAD" ? "HEAD" : "GET";
      body = undefined;
      headers = headers.filter(([name]) => !name.toLowerCase().startsWith("content-"));
    }
    target = next;
  }
  throw new BowireError(
    "too_many_redirects",
    `call to ${place(first)} was redirected more than ${maxRedirects} times, last to ${
      place(target)
    }`,
  );
}

async function readAnswer(
  target: Target,
  response: Response,
  maxBytes: number,
): Promise<HttpAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body === null ? [] : readPieces(response.body)) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new BowireError(
        "too_large",
        `the answer of ${place(target)} is larger than ${maxBytes} bytes`,
        {
          hint: "ask for less: a filter, a page size, a range",
        },
      );
    }
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return {
    url: target.url,
    status: response.status,
    reason: response.statusText,
    headers: [...response.headers],
    body,
  };
}

/**
 * The pieces of a body, copied out of one buffer that is used again and again: the chunks that the
 * stream makes by itself keep 64 KiB of memory each, however short they are.
 */
async function* readPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(READ_BYTES);
  try {
    while (true) {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (done) return;
      yield value.slice();
      buffer = value.buffer;
    }
  } finally {
    await reader.cancel(); // closes the connection when the rest is not wanted
  }
}

function dialError(target: Target, error: unknown): BowireError {
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

function place(target: Target): string {
  return `"${redactUrl(target.url)}"`;
}
