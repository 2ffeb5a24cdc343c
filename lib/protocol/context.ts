/**
 * What a plugin may do to the world: admit a URL and fetch from it. The global `fetch` is called
 * here and nowhere else.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, originOf, parseAddress, redactUrl, type Target } from "../gate/mod.ts";
import { AllowedFiles, type NamedFile } from "../store/mod.ts";
import { readAnswer } from "./answer.ts";
import { abortError, dialError, place } from "./dial_errors.ts";
import type { ClientTls, HttpAnswer, HttpRequest } from "./exchange.ts";

/** The guarded way out for one call. */
export interface CallContext {
  /** Aborts when the caller gives up or the call's time is over. */
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
   * @throws {BowireError} `invalid_url`, `url_not_allowed`, `unreachable`, `timeout`, `cancelled`,
   * `too_large`,
   * `too_many_redirects` or `permission_denied`.
   */
  fetch(target: Target, request?: HttpRequest): Promise<HttpAnswer>;
  /** Headers and reserved entries that the active environment has for the origin of a URL. */
  metadataFor(url: string): Readonly<Record<string, string>>;
  /**
   * Reads a file that a call sends, from the folders the operator allowed.
   *
   * @throws {BowireError} `file_failed`.
   */
  readFile(path: string): Promise<NamedFile>;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;

// A stream is left in time to report what it brought.
const STREAM_SHARE = 0.9;

// What may follow a redirect to another origin: nothing that can carry a credential.
const PORTABLE_HEADERS = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** What a context is made of besides the gate. */
export interface ContextOptions {
  /** For all exchanges of the call together, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** What the active environment adds, and for which origin. @default nothing */
  readonly ambient?: Ambient | undefined;
  /** The files that may be sent. @default none */
  readonly files?: { read(path: string): Promise<NamedFile> } | undefined;
}

/** Metadata for all calls to one origin. */
export interface Ambient {
  /** `scheme://host:port`. */
  readonly origin: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Makes the context of one call. Its time starts now. */
export function createContext(
  allowlist: Allowlist,
  signal: AbortSignal,
  { timeoutMs = DEFAULT_TIMEOUT_MS, ambient, files = new AllowedFiles([]) }: ContextOptions = {},
): CallContext {
  const endsAtMs = performance.now() + timeoutMs;
  const deadline = AbortSignal.timeout(timeoutMs);
  return {
    signal: AbortSignal.any([signal, deadline]),
    admit: (url, via) => allowlist.admit(url, via),
    metadataFor: (url) => originOf(parseAddress(url)) === ambient?.origin ? ambient.metadata : {},
    readFile: (path) => files.read(path),
    async fetch(target, request = {}) {
      const leftMs = Math.max(0, Math.ceil(endsAtMs - performance.now()));
      const limitMs = Math.min(request.timeoutMs ?? leftMs, leftMs);
      const timer = AbortSignal.any([deadline, AbortSignal.timeout(limitMs)]);
      const client = request.tls === undefined ? undefined : openClient(request.tls);
      const bounds = { signal: AbortSignal.any([signal, timer]), limitMs };
      try {
        return await exchange(allowlist, target, { ...request, client, ...bounds });
      } catch (error) {
        if (error instanceof BowireError) throw error;
        if (signal.aborted || timer.aborted) {
          throw abortError(target, signal, request.timeoutMs ?? timeoutMs);
        }
        throw dialError(target, error);
      } finally {
        client?.close();
      }
    },
  };
}

/** A client that shows a certificate or trusts another authority. */
function openClient({ certificate, privateKey, caCertificate }: ClientTls): Deno.HttpClient {
  // The runtime passes over an authority that is no PEM.
  if (caCertificate?.includes("-----BEGIN CERTIFICATE-----") === false) throw notPem();
  try {
    return Deno.createHttpClient({
      ...(caCertificate === undefined ? {} : { caCerts: [caCertificate] }),
      ...(certificate === undefined || privateKey === undefined
        ? {}
        : { cert: certificate, key: privateKey }),
    });
  } catch (error) {
    // What the runtime says may quote the key.
    throw notPem(error);
  }
}

function notPem(cause?: unknown): BowireError {
  return new BowireError("invalid_argument", "cannot use the client certificate: it is not PEM", {
    hint: "give certificates and key as PEM text, the key without a passphrase",
    cause,
  });
}

/** An exchange with its means and bounds. */
interface BoundRequest extends HttpRequest {
  readonly client: Deno.HttpClient | undefined;
  readonly signal: AbortSignal;
  readonly limitMs: number;
}

async function exchange(
  allowlist: Allowlist,
  first: Target,
  request: BoundRequest,
): Promise<HttpAnswer> {
  const startedMs = performance.now();
  const maxRedirects = request.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  let target = first;
  let method = request.method ?? "GET";
  let body = request.body;
  let headers = request.headers ?? [];
  for (let hop = 0; hop <= maxRedirects; hop++) {
    checkScheme(target);
    const response = await fetch(target.url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      redirect: "manual",
      signal: request.signal,
      ...(request.client !== undefined && target.origin === first.origin
        ? { client: request.client }
        : {}),
      ...(body === undefined ? {} : { body }),
    });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
      const leftMs = request.limitMs - (performance.now() - startedMs);
      const streamMs = Math.max(0, leftMs * STREAM_SHARE);
      const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
      return await readAnswer(target, response, { maxBytes, streamMs });
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

/** The global `fetch` reads files as well, which no allowlist of servers is about. */
function checkScheme(target: Target): void {
  if (target.scheme === "http" || target.scheme === "https") return;
  throw new BowireError("invalid_url", `cannot fetch ${place(target)}: it is no HTTP URL`);
}
