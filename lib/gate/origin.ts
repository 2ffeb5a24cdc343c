/**
 * Defence against pages in a browser that drive a local listener (DNS rebinding).
 *
 * @module
 */

/** Names of this machine as they stand in Host and Origin headers. */
export const LOOPBACK_NAMES: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];

/** Judges the Host and Origin headers of a request. */
export class OriginGuard {
  readonly #names: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  /**
   * @param names host names without port under which the listener may be addressed.
   * @param origins whole origins, port included, whose pages may come as well.
   */
  constructor(names: readonly string[], origins: readonly string[] = []) {
    this.#names = new Set(names.map((name) => name.toLowerCase()));
    this.#origins = new Set(origins);
  }

  /** A 403 answer when the request was addressed to, or comes from, a foreign name. */
  refusal(request: Request): Response | undefined {
    // Deno builds the request URL from the Host header when there is one.
    const host = request.headers.get("host") ?? new URL(request.url).host;
    if (!this.#isKnown(`http://${host}`)) return forbidden("Host", host);
    const origin = request.headers.get("origin");
    // A page in a sandbox or a file sends "null": as foreign as any other.
    if (origin === null || this.#origins.has(origin) || this.#isKnown(origin)) return undefined;
    return forbidden("Origin", origin);
  }

  #isKnown(origin: string): boolean {
    const url = URL.parse(origin);
    return url !== null && url.username === "" && url.password === "" &&
      this.#names.has(url.hostname.toLowerCase());
  }
}

function forbidden(header: string, value: string): Response {
  const shown = value.replace(/[^\x20-\x7e]/g, "?").slice(0, 100);
  return Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32000,
        message:
          `Forbidden: the ${header} header "${shown}" is not one this server answers to (--allow-host, hostNames)`,
      },
    },
    { status: 403 },
  );
}
