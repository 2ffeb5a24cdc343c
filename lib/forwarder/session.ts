/**
 * A session of the older revisions with the parent, which is made again when the parent forgot it.
 *
 * @module
 */
import { untilAborted } from "../protocol/abandon.ts";
import type { JsonObject } from "../schema/json_schema.ts";
import { type Field, overlaid } from "./fields.ts";
import { isAnswer, readMessages } from "./message.ts";
import type { Parent, ParentRequest } from "./parent.ts";
import { textsOf } from "./texts.ts";
import { Wishes } from "./wishes.ts";

/** The header field with the id of a session (MCP 2025-11-25, transports). */
export const SESSION_FIELD = "mcp-session-id";
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
/** How long the parent may take to hear that a session is over, in milliseconds. */
const FAREWELL_MS = 1000;
/** How long it may take to make one again, in milliseconds. */
const RENEWAL_MS = 30_000;

/** The `initialize` that a client has sent, and what came of it. */
export interface Handshake {
  readonly fields: readonly Field[];
  /** The request as it came. */
  readonly text: string;
  /** As the parent gave it. */
  readonly sessionId: string;
}

/** What is sent within a session. */
export interface SessionRequest extends ParentRequest {
  /** Whether a session that is lost may be made again. @default true */
  readonly mayRenew?: boolean;
}

/** How a session is made again. */
export interface RenewalOptions {
  /** Hears what the parent said to `initialize`. */
  readonly onRenewed?: (result: JsonObject) => void;
  /** How long the parent may take for it, in milliseconds. @default 30000 */
  readonly renewalMs?: number;
}

/** One session. */
export class ParentSession {
  readonly #parent: Parent;
  readonly #handshake: Handshake;
  readonly #wishes = new Wishes();
  #id: string;
  #renewal: Promise<void> | undefined;
  readonly #onRenewed: (result: JsonObject) => void;
  readonly #renewalMs: number;

  constructor(
    parent: Parent,
    handshake: Handshake,
    { onRenewed = () => {}, renewalMs = RENEWAL_MS }: RenewalOptions = {},
  ) {
    this.#parent = parent;
    this.#handshake = handshake;
    this.#id = handshake.sessionId;
    this.#onRenewed = onRenewed;
    this.#renewalMs = renewalMs;
    parent.sessions.add(this);
  }

  /** As the parent knows it now. */
  get id(): string {
    return this.#id;
  }

  /**
   * Makes one exchange within the session; a parent that does not know it any more is asked for
   * another, once, and then the same again.
   *
   * @throws {BowireError} as `Parent.send` does; the signal's reason while a session is made again.
   */
  async send({ mayRenew = true, ...request }: SessionRequest): Promise<Response> {
    const id = this.#id;
    let response = await this.#send(request, id);
    if (response.status === 404 && mayRenew) {
      await response.body?.cancel();
      await untilAborted(() => this.#renewFrom(id), request.signal, 0);
      response = await this.#send(request, this.#id);
    }
    if (response.ok && request.body !== undefined) this.#wishes.note(request.body);
    return response;
  }

  /** Tells the parent that the session is over; used again, it is made again. Never throws. */
  async end(): Promise<void> {
    this.#parent.sessions.delete(this);
    const signal = AbortSignal.timeout(FAREWELL_MS);
    try {
      const request = { method: "DELETE", fields: this.#handshake.fields, signal };
      await (await this.#send(request, this.#id)).body?.cancel();
    } catch { /* it will notice by itself */ }
  }

  #send(request: ParentRequest, id: string): Promise<Response> {
    const fields = overlaid(request.fields, { [SESSION_FIELD]: id });
    return this.#parent.send({ ...request, fields });
  }

  /** Whoever comes while it is being made waits for the same one. */
  async #renewFrom(lostId: string): Promise<void> {
    if (this.#id !== lostId) return; // somebody else was earlier
    this.#renewal ??= this.#renew().finally(() => this.#renewal = undefined);
    await this.#renewal;
  }

  /** It is of use to all, whoever gives up meanwhile. */
  async #renew(): Promise<void> {
    const signal = AbortSignal.timeout(this.#renewalMs);
    try {
      await this.#makeAgain(signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw this.#parent.misfit(
        `has lost the session, and gave no other within ${this.#renewalMs} ms`,
      );
    }
  }

  async #makeAgain(signal: AbortSignal): Promise<void> {
    const { fields, text } = this.#handshake;
    const post = { method: "POST", fields, signal };
    const response = await this.#parent.send({ ...post, body: text });
    const id = response.headers.get(SESSION_FIELD);
    const result = await resultOf(response);
    if (id === null || result === undefined) {
      throw this.#parent.misfit("has lost the session, and gives no other");
    }
    this.#id = id;
    this.#parent.sessions.add(this);
    const version = String(result["protocolVersion"]);
    const own = overlaid(fields, { "mcp-protocol-version": version });
    for (const body of [INITIALIZED, ...this.#wishes.texts]) {
      const told = await this.#send({ ...post, fields: own, body }, id);
      await told.body?.cancel();
    }
    this.#onRenewed(result);
  }
}

/** The result in an answer; `undefined` when there is none, or an error. */
export async function resultOf(response: Response): Promise<JsonObject | undefined> {
  for await (const text of textsOf(response)) {
    const answer = readMessages(text).find(isAnswer);
    if (answer !== undefined) return answer.result;
  }
  return undefined;
}
