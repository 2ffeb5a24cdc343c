/**
 * Streamable HTTP: a POST for each message of ours, answered by JSON or by a stream of events
 * (MCP 2025-11-25 and 2026-07-28, Streamable HTTP).
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  type CallContext,
  type ClientTls,
  type HttpRequest,
  type HttpStream,
  place,
  type Target,
  USER_AGENT,
} from "../../../lib/protocol/mod.ts";
import type { JsonObject } from "../../../lib/schema/json_schema.ts";
import type { Resumption } from "../../../lib/protocol/mcp_wire/events.ts";
import {
  headerOf,
  isEventStream,
  readMessageEvents,
  readReply,
  refusalOf,
} from "./http_reading.ts";
import {
  type Incoming,
  type Message,
  type MessageId,
  notificationOf,
  type Reply,
  replyOf,
  requestOf,
} from "./message.ts";
import { pause } from "../../../lib/protocol/mcp_wire/pause.ts";
import { readText } from "../../../lib/protocol/mcp_wire/read_text.ts";
import type { Answered, Exchange, Wire } from "./wire.ts";

const SESSION_HEADER = "mcp-session-id";
/** Header fields that say what a message is: no caller's, who would say it of all of them. */
const OWN_HEADERS =
  /^(accept|content-type|last-event-id|mcp-(session-id|protocol-version|method|name|param-.*))$/;
/** How long to wait before a stream is taken up again when the server does not say, in milliseconds. */
const DEFAULT_RETRY_MS = 1000;
/** How often one answer is looked for again. */
const MAX_RESUMPTIONS = 100;

/** Hears nothing. */
const DEAF: Disposable = { [Symbol.dispose]() {} };

/** Who asks, as HTTP has it. */
export interface HttpCaller {
  /** Value by lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly tls: ClientTls | undefined;
}

/** Messages by HTTP. */
export class HttpWire implements Wire {
  readonly isHttp = true;
  readonly isOpen = true;
  readonly #target: Target;
  readonly #caller: HttpCaller;
  /** As the server gave it, with the headers of the latest message in it. */
  #session: { readonly id: string; readonly headers: Exchange["headers"] } | undefined;
  /** True when the server says nothing but answers. */
  #isMute = false;

  constructor(target: Target, caller: HttpCaller) {
    this.#target = target;
    this.#caller = caller;
  }

  async request(id: MessageId, message: Message, exchange: Exchange): Promise<Answered> {
    const response = await this.#post(requestOf(id, message), exchange);
    const { status } = response;
    const session = headerOf(response, SESSION_HEADER);
    if (session !== undefined) this.#session = { id: session, headers: exchange.headers };
    const reply = isEventStream(response)
      ? await this.#follow(response, id, exchange)
      : await readReply(response, id);
    return { reply, status };
  }

  async notify(message: Message, exchange: Exchange): Promise<void> {
    const response = await this.#post(notificationOf(message), exchange);
    const text = await readText(response.body);
    if (response.status >= 300) throw refusalOf(response, text);
  }

  async listen(exchange: Exchange): Promise<Disposable> {
    if (this.#session === undefined || this.#isMute) return DEAF;
    try {
      const response = await this.#get(exchange, {});
      if (response.status === 200 && isEventStream(response)) {
        this.#overhear(response.body, exchange);
        return { [Symbol.dispose]: () => response.cancel() };
      }
      this.#isMute = response.status === 405; // any other may be about this moment
      response.cancel();
    } catch { /* the call itself will tell */ }
    return DEAF;
  }

  reset(): void {
    this.#session = undefined;
  }

  async close(context: CallContext): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    const headers = { ...session.headers, [SESSION_HEADER]: session.id };
    try {
      await context.fetch(this.#target, { ...this.#means(headers), method: "DELETE" });
    } catch { /* the server need not know */ }
  }

  #post(body: JsonObject, { context, headers }: Exchange): Promise<HttpStream> {
    if (this.#session !== undefined) this.#session = { ...this.#session, headers };
    const own = { ...headers, ...this.#sessionHeader, "content-type": "application/json" };
    const request = { ...this.#means(own), method: "POST", body: JSON.stringify(body) };
    return context.open(this.#target, request);
  }

  #get({ context, headers }: Exchange, others: Record<string, string>): Promise<HttpStream> {
    const own = { ...headers, ...this.#sessionHeader, accept: "text/event-stream", ...others };
    return context.open(this.#target, this.#means(own));
  }

  get #sessionHeader(): Record<string, string> {
    return this.#session === undefined ? {} : { [SESSION_HEADER]: this.#session.id };
  }

  #means(own: Readonly<Record<string, string>>): HttpRequest {
    const { headers, tls } = this.#caller;
    const all = new Map([
      ["accept", "application/json, text/event-stream"],
      ["user-agent", USER_AGENT],
      ...[...headers].filter(([name]) => !OWN_HEADERS.test(name)),
      ...Object.entries(own),
    ]);
    return { headers: [...all], ...(tls === undefined ? {} : { tls }) };
  }

  /** Reads events until the answer comes, and goes back for it when the stream ends before. */
  async #follow(first: HttpStream, id: MessageId, exchange: Exchange): Promise<Reply> {
    const resumption: Resumption = { lastId: undefined, retryMs: undefined };
    let response = first;
    for (let round = 0; round < MAX_RESUMPTIONS && isEventStream(response); round++) {
      const messages = readMessageEvents(response.body, this.#target, resumption);
      // One who leaves the stream lets go of the connection.
      for await (const incoming of messages) {
        if (incoming.kind === "reply" && incoming.id === id) return incoming.reply;
        this.#hear(incoming, exchange);
      }
      if (resumption.lastId === undefined) break;
      await pause(resumption.retryMs ?? DEFAULT_RETRY_MS, exchange.context.signal);
      response = await this.#get(exchange, { "last-event-id": resumption.lastId });
    }
    const message = `${place(this.#target)} ended its stream without an answer`;
    throw new BowireError("unreachable", message, {
      hint: "the server may have been restarted: call again",
      retryable: true,
    });
  }

  async #overhear(body: HttpStream["body"], exchange: Exchange): Promise<void> {
    const resumption = { lastId: undefined, retryMs: undefined };
    try {
      for await (const incoming of readMessageEvents(body, this.#target, resumption)) {
        this.#hear(incoming, exchange);
      }
    } catch { /* it was to be heard as long as it can be */ }
  }

  #hear(incoming: Incoming, exchange: Exchange): void {
    if (incoming.kind === "notification") exchange.notice(incoming.message);
    if (incoming.kind === "request") this.#reply(incoming, exchange);
  }

  /** Answers a request of the server by a POST of its own; the stream goes on meanwhile. */
  async #reply(
    { id, message }: Incoming & { kind: "request" },
    exchange: Exchange,
  ): Promise<void> {
    try {
      const reply = await exchange.answer(message);
      const { body } = await this.#post(replyOf(id, reply), exchange);
      await readText(body);
    } catch { /* the server will say what it makes of it, or the call ends by its time */ }
  }
}
