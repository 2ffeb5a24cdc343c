/**
 * One HTTP exchange with redirects followed by hand, each hop admitted and its addresses judged.
 * The global `fetch` is called here and nowhere else.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import { redactUrl, type Target } from "../../gate/mod.ts";
import { type AddressCheck, checkAddresses } from "../addresses.ts";
import { headOf, readAnswer, readPieces } from "./answer.ts";
import type { Send } from "../apps.ts";
import { place } from "../dial_errors.ts";
import type { HttpAnswer, HttpRequest, HttpStream } from "./exchange.ts";

export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_REDIRECTS = 10;

// A stream is left in time to report what it brought.
const STREAM_SHARE = 0.9;

// What may follow a redirect to another origin: nothing that can carry a credential.
const PORTABLE_HEADERS = new Set(["accept", "accept-language", "content-type", "user-agent"]);

/** An exchange with its means and bounds. */
export interface BoundRequest extends HttpRequest {
  readonly client: Deno.HttpClient | undefined;
  /** What answers in place of the network. */
  readonly send?: Send | undefined;
  readonly limitMs: number;
}

/**
 * Makes an exchange and reads its answer whole.
 *
 * @throws {BowireError} `invalid_url`, `url_not_allowed`, `too_large` or `too_many_redirects`; what
 * the runtime throws when it cannot connect, and the signal's reason.
 */
export async function exchange(
  first: Target,
  request: BoundRequest,
  check: AddressCheck,
): Promise<HttpAnswer> {
  const startedMs = performance.now();
  const { target, response } = await follow(first, request, check);
  const leftMs = request.limitMs - (performance.now() - startedMs);
  const streamMs = Math.max(0, leftMs * STREAM_SHARE);
  const maxBytes = request.maxBytes ?? DEFAULT_MAX_BYTES;
  return await readAnswer(target, response, { maxBytes, streamMs });
}

/**
 * Makes an exchange whose answer is read as it comes.
 *
 * @throws as {@linkcode exchange} does, but for `too_large`.
 */
export async function openExchange(
  first: Target,
  request: BoundRequest,
  check: AddressCheck,
): Promise<HttpStream> {
  const { target, response } = await follow(first, request, check);
  return { ...headOf(target, response), ...readPieces(response) };
}

/**
 * Sends the request, and again where it is redirected to; the answer is given as the runtime has it.
 *
 * @throws as {@linkcode exchange} does, but for `too_large`.
 */
export async function follow(
  first: Target,
  request: BoundRequest,
  check: AddressCheck,
): Promise<{ target: Target; response: Response }> {
  const maxRedirects = request.maxRedirects ?? DEFAULT_MAX_REDIRECTS;
  let target = first;
  let method = request.method ?? "GET";
  let body = request.body;
  let headers = request.headers ?? [];
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await (request.send ?? throughNetwork(check))(target, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      redirect: "manual",
      signal: check.signal,
      ...(request.client !== undefined && target.origin === first.origin
        ? { client: request.client }
        : {}),
      ...(body === undefined ? {} : { body }),
    });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) {
      return { target, response };
    }
    await response.body?.cancel();
    const next = check.allowlist.admit(
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

/** Dials what a target leads to, if it may. */
function throughNetwork(check: AddressCheck): Send {
  return async (target, init) => {
    checkScheme(target);
    const checkAgain = await checkAddresses(target, check);
    const response = await fetch(target.url, init);
    try {
      await checkAgain();
      return response;
    } catch (error) {
      await response.body?.cancel().catch(() => {}); // it failed in the meantime
      throw error;
    }
  };
}

/** The global `fetch` reads files as well, which no allowlist of servers is about. */
function checkScheme(target: Target): void {
  if (target.scheme === "http" || target.scheme === "https") return;
  throw new BowireError("invalid_url", `cannot fetch ${place(target)}: it is no HTTP URL`);
}
