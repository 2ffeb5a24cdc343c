/**
 * The way to the parent.
 *
 * @module
 */
import { BowireError, type ErrorCode } from "../errors/mod.ts";
import { Allowlist, type Target } from "../gate/mod.ts";
import { lookupHost, place } from "../protocol/mod.ts";
import { refusalOf } from "../protocol/dial_errors.ts";
import { follow } from "../protocol/http/follow.ts";
import { type Field, handedOn, overlaid } from "./fields.ts";

/** What is sent to the parent. */
export interface ParentRequest {
  readonly method: string;
  readonly fields: readonly Field[];
  readonly body?: string | undefined;
  /** Ends the exchange, its answer included. */
  readonly signal: AbortSignal;
}

/** What can be done about what keeps a parent from being reached. */
const HINTS: Partial<Record<ErrorCode, string>> = {
  unreachable: "is the parent running? it is tried again with the next request",
  url_not_allowed: "attach to the URL itself that it redirects to",
};

/** The one server that a forwarder speaks to. Nothing else is ever dialled. */
export class Parent {
  readonly endpoint: URL;
  /** Those that are to be ended before it is left. */
  readonly sessions = new Set<{ end(): Promise<void> }>();
  readonly #token: string | undefined;
  readonly #allowlist = new Allowlist();
  readonly #target: Target;

  /**
   * @param bearerToken shown with every request; the caller's own credentials never are.
   * @throws {BowireError} `invalid_url`.
   */
  constructor(endpoint: URL, bearerToken: string | undefined) {
    this.endpoint = endpoint;
    this.#token = bearerToken;
    this.#allowlist.permit(endpoint.href, "flag");
    this.#target = this.#allowlist.admit(endpoint.href);
  }

  get hasBearerToken(): boolean {
    return this.#token !== undefined;
  }

  /**
   * Makes one exchange. Its answer is what the parent says, whatever its status is.
   *
   * @throws {BowireError} as `CallContext.fetch` does, and `call_failed` when the parent does not take
   * the token.
   */
  async send({ method, fields, body, signal }: ParentRequest): Promise<Response> {
    const headers = overlaid(handedOn(fields), {
      // Events in a compressed stream would wait for one another.
      "accept-encoding": "identity",
      ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
    });
    const request = { method, headers, client: undefined, limitMs: Infinity };
    const check = { allowlist: this.#allowlist, lookup: lookupHost, signal };
    try {
      const { response } = await follow(
        this.#target,
        body === undefined ? request : { ...request, body },
        check,
      );
      if (response.status === 401 || response.status === 403) throw await this.#refused(response);
      return response;
    } catch (error) {
      throw this.failure(error, signal);
    }
  }

  /** What was thrown while the parent was spoken to, in words that name it. */
  failure(error: unknown, signal: AbortSignal): BowireError {
    const failure = refusalOf(error, this.#target, { signal, bound: signal, limitMs: 0 });
    const hint = HINTS[failure.code];
    if (hint === undefined) return failure;
    const { code, message, details = {}, retryable } = failure;
    return new BowireError(code, `cannot relay to the parent: ${message}`, {
      hint,
      details,
      retryable,
      cause: error,
    });
  }

  /** The parent gave an answer that no client of MCP can use. */
  misfit(what: string, details: Readonly<Record<string, unknown>> = {}): BowireError {
    return new BowireError("call_failed", `the parent ${place(this.#target)} ${what}`, {
      hint: "is it the URL at which the parent serves MCP, often /bowire/mcp or /mcp?",
      details,
      retryable: true,
    });
  }

  async #refused(response: Response): Promise<BowireError> {
    await response.body?.cancel();
    const { status } = response;
    const aboutToken = this.hasBearerToken ? "it does not take the token" : "it wants a token";
    const why = status === 401 ? aboutToken : `it does not answer to "${this.endpoint.host}"`;
    const message = `the parent ${place(this.#target)} refused with HTTP ${status}: ${why}`;
    return new BowireError("call_failed", message, {
      hint: status === 401
        ? "give the token of the parent, with --attach-token-file FILE"
        : "start the parent with --allow-host, or attach to a name that it knows",
      details: { status },
    });
  }
}
