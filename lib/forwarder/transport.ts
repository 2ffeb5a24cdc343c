/**
 * A forwarder: an MCP server without anything of its own, behind which another one is.
 *
 * @module
 */
import type { HttpCaller } from "../mcp/http.ts";
import { USER_AGENT } from "../protocol/http/kit.ts";
import { parseAttachEndpoint } from "./attach.ts";
import { HttpRelay } from "./http/relay.ts";
import { isAnswer, readMessages } from "./message.ts";
import { Parent } from "./parent.ts";
import { relayStreams, type RelayStreamsOptions } from "./stream/relay_streams.ts";
import { textsOf } from "./texts.ts";

/** How long the parent may take to say that it is there, in milliseconds. */
const CONNECT_MS = 10_000;
const REVISION = "2026-07-28";
const PROBE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "server/discover",
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
});

/**
 * Relays MCP to a parent, message for message: every method, notification and unknown member passes
 * as it is, both ways. The parent is dialled when it is needed; one that is down is an error of the
 * requests that come meanwhile, and is tried again by the next.
 *
 * Who may use it is for whoever mounts it to judge. The parent sees the token that was given here,
 * and never the credentials of a child.
 *
 * @example
 * ```ts
 * import { ForwardingMcpTransport } from "./transport.ts";
 *
 * const parent = ForwardingMcpTransport.parseAttachEndpoint("localhost:5081");
 * await using forwarder = new ForwardingMcpTransport(parent);
 * console.assert(forwarder.parentEndpoint.href === "http://localhost:5081/bowire/mcp");
 * ```
 */
export class ForwardingMcpTransport implements AsyncDisposable {
  readonly #parent: Parent;
  readonly #relay: HttpRelay;
  readonly #closing = new AbortController();
  #connecting: Promise<void> | undefined;

  /**
   * The URL of a parent as it is typed: `host:port` stands for `http://host:port/bowire/mcp`, an http
   * or https URL for itself.
   *
   * @throws {BowireError} `usage` for anything else.
   */
  static parseAttachEndpoint(raw: string): URL {
    return parseAttachEndpoint(raw);
  }

  /**
   * Makes a forwarder; nothing is dialled yet.
   *
   * @param parentEndpoint the http or https URL at which the parent serves MCP.
   * @param bearerToken shown to the parent with every request.
   * @throws {BowireError} `usage` for another URL.
   */
  constructor(parentEndpoint: URL | string, bearerToken?: string) {
    this.#parent = new Parent(parseAttachEndpoint(String(parentEndpoint)), bearerToken);
    this.#relay = new HttpRelay(this.#parent);
  }

  /** Where the parent is. */
  get parentEndpoint(): URL {
    return new URL(this.#parent.endpoint);
  }

  /** Whether the parent is shown a token; it is never told which. */
  get hasBearerToken(): boolean {
    return this.#parent.hasBearerToken;
  }

  /**
   * Finds out whether the parent is there, which nobody needs to do: requests dial it by themselves.
   * Once it was, it is not asked again before {@linkcode reset}.
   *
   * @throws {BowireError} `unreachable`, `permission_denied` where Deno does not let this process reach
   * it, `url_not_allowed` when it redirects elsewhere, or `call_failed` when something else is there
   * or the token is wrong.
   */
  async connect(): Promise<void> {
    this.#connecting ??= this.#probe();
    try {
      await this.#connecting;
    } catch (error) {
      this.#connecting = undefined;
      throw error;
    }
  }

  /** Ends the sessions with the parent. What children send next makes theirs again. */
  async reset(): Promise<void> {
    this.#connecting = undefined;
    await Promise.all([...this.#parent.sessions].map((session) => session.end()));
  }

  /**
   * Relays a child that speaks HTTP. Never throws for what the parent does: a request that cannot be
   * relayed is answered with HTTP 502 and an error of JSON-RPC that names the parent.
   *
   * @param caller whose session is nobody else's.
   */
  async fetch(request: Request, caller?: HttpCaller): Promise<Response> {
    return await this.#relay.fetch(request, caller ?? { principal: "" });
  }

  /** Relays a child that speaks over two byte streams, until its input ends or it is gone. */
  async serveStreams(options: RelayStreamsOptions): Promise<void> {
    await relayStreams(this.#parent, options);
  }

  /** Ends what is in flight, and the sessions with the parent. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#relay.close();
    await this.reset();
  }

  /** As {@linkcode close}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #probe(): Promise<void> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(CONNECT_MS)]);
    const response = await this.#parent.send({
      method: "POST",
      fields: [
        ["accept", "application/json, text/event-stream"],
        ["content-type", "application/json"],
        ["user-agent", USER_AGENT],
        ["mcp-protocol-version", REVISION],
        ["mcp-method", "server/discover"],
      ],
      body: PROBE,
      signal,
    });
    // An older one refuses, in the words of JSON-RPC.
    for await (const text of textsOf(response)) {
      if (isMessage(text)) return;
    }
    throw this.#parent.misfit(`is no MCP server: it answered with HTTP ${response.status}`);
  }
}

function isMessage(text: string): boolean {
  try {
    return readMessages(text).some(isAnswer);
  } catch {
    return false;
  }
}
