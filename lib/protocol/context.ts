/**
 * What a plugin may do to the world: admit a URL, fetch from it and connect to it.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, originOf, parseAddress, type Target } from "../gate/mod.ts";
import type { Progress } from "../model/mod.ts";
import { AllowedFiles, type NamedFile } from "../store/mod.ts";
import { type Lookup, lookupHost } from "./addresses.ts";
import { abortError, dialError } from "./dial_errors.ts";
import type { HttpAnswer, HttpRequest } from "./exchange.ts";
import { exchange } from "./follow.ts";
import { openSocket } from "./socket.ts";
import { openClient } from "./tls_client.ts";

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
   * One HTTP exchange with an admitted target. Redirects are followed by hand, each hop admitted
   * and the addresses behind its name judged; the caller's headers do not cross to another origin.
   *
   * @throws {BowireError} `invalid_url`, `url_not_allowed`, `unreachable`, `timeout`, `cancelled`,
   * `too_large`, `too_many_redirects` or `permission_denied`.
   */
  fetch(target: Target, request?: HttpRequest): Promise<HttpAnswer>;
  /**
   * A TCP connection to an admitted target, for protocols with sockets of their own. The address
   * that was reached is judged before a byte is sent; whoever asks for the connection closes it.
   *
   * @throws {BowireError} `invalid_url`, `url_not_allowed`, `unreachable`, `timeout`, `cancelled` or
   * `permission_denied`.
   */
  connect(target: Target): Promise<Deno.TcpConn>;
  /** Tells whoever waits how far the call is. */
  report(progress: Progress): void;
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

/** What a context is made of besides the gate. */
export interface ContextOptions {
  /** For all exchanges of the call together, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** How much of that time is over, in milliseconds. @default 0 */
  readonly elapsedMs?: number | undefined;
  /** What the active environment adds, and for which origin. @default nothing */
  readonly ambient?: Ambient | undefined;
  /** The files that may be sent. @default none */
  readonly files?: { read(path: string): Promise<NamedFile> } | undefined;
  /** Finds the addresses of a host. @default the resolver of the system */
  readonly lookup?: Lookup | undefined;
  /** Hears how far the call is. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Metadata for all calls to one origin. */
export interface Ambient {
  /** `scheme://host:port`. */
  readonly origin: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Makes the context of one call. Its time starts now, unless some of it is over. */
export function createContext(
  allowlist: Allowlist,
  signal: AbortSignal,
  {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    elapsedMs = 0,
    ambient,
    files = new AllowedFiles([]),
    lookup = lookupHost,
    onProgress,
  }: ContextOptions = {},
): CallContext {
  const remainingMs = Math.max(0, Math.ceil(timeoutMs - elapsedMs));
  const endsAtMs = performance.now() + remainingMs;
  const deadline = AbortSignal.timeout(remainingMs);
  const both = AbortSignal.any([signal, deadline]);
  return {
    signal: both,
    admit: (url, via) => allowlist.admit(url, via),
    metadataFor: (url) => originOf(parseAddress(url)) === ambient?.origin ? ambient.metadata : {},
    readFile: (path) => files.read(path),
    report: (progress) => onProgress?.(progress),
    async fetch(target, request = {}) {
      const leftMs = Math.max(0, Math.ceil(endsAtMs - performance.now()));
      const limitMs = Math.min(request.timeoutMs ?? leftMs, leftMs);
      const bound = AbortSignal.any([both, AbortSignal.timeout(limitMs)]);
      const client = request.tls === undefined ? undefined : openClient(request.tls);
      try {
        const check = { allowlist, lookup, signal: bound };
        return await exchange(target, { ...request, client, limitMs }, check);
      } catch (error) {
        throw refusalOf(error, target, { signal, bound, limitMs: request.timeoutMs ?? timeoutMs });
      } finally {
        client?.close();
      }
    },
    async connect(target) {
      try {
        return await openSocket(allowlist, target, both);
      } catch (error) {
        throw refusalOf(error, target, { signal, bound: both, limitMs: timeoutMs });
      }
    },
  };
}

/** What was thrown on the way to a target, in Bowire's words. */
function refusalOf(
  error: unknown,
  target: Target,
  { signal, bound, limitMs }: { signal: AbortSignal; bound: AbortSignal; limitMs: number },
): BowireError {
  if (error instanceof BowireError) return error;
  return bound.aborted ? abortError(target, signal, limitMs) : dialError(target, error);
}
