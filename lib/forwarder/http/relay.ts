/**
 * Relays children that speak HTTP: their requests go on, and what the parent answers comes back, byte
 * for byte.
 *
 * @module
 */
import type { BowireError } from "../../errors/mod.ts";
import type { Endpoint, HttpCaller } from "../../mcp/http.ts";
import { readBody } from "../../mcp/http/body.ts";
import { sessionNotFound } from "../../mcp/http/refusals.ts";
import { SessionTable, type SessionTableOptions } from "../../mcp/http/session_table.ts";
import { readBytes } from "../../protocol/mcp_wire/read_text.ts";
import { handedOn } from "../fields.ts";
import { failureText, isRequest, type Message, readMessages } from "../message.ts";
import type { Parent } from "../parent.ts";
import { ParentSession, SESSION_FIELD } from "../session.ts";
import { isEventStream } from "../texts.ts";
import { guarded } from "./guarded.ts";

/** Largest body of an answer that is no stream, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** One request of a child. */
interface Asked {
  readonly request: Request;
  /** Of a POST. */
  readonly text: string | undefined;
  readonly principal: string;
  /** As the child knows it. */
  readonly sessionId: string | null;
  readonly session: ParentSession | undefined;
  /** Ends the exchange with the parent. */
  readonly controller: AbortController;
  readonly signal: AbortSignal;
}

/** The endpoint whose answers are the parent's. */
export class HttpRelay implements Endpoint {
  readonly #parent: Parent;
  readonly #sessions: SessionTable<ParentSession>;
  readonly #closing = new AbortController();

  constructor(
    parent: Parent,
    times: Omit<SessionTableOptions<ParentSession>, "onEvict"> = {},
  ) {
    this.#parent = parent;
    this.#sessions = new SessionTable({ ...times, onEvict: (session) => session.end() });
  }

  async fetch(request: Request, caller: HttpCaller): Promise<Response> {
    const { principal } = caller;
    const sessionId = request.headers.get(SESSION_FIELD);
    const session = sessionId === null ? undefined : this.#sessions.use(sessionId, principal);
    if (sessionId !== null && session === undefined) return sessionNotFound();
    const controller = new AbortController();
    const signal = AbortSignal.any([request.signal, controller.signal, this.#closing.signal]);
    const known = { request, principal, sessionId, session, controller, signal };
    const text = await readBody(request, caller);
    return text instanceof Response ? text : await this.#relay({ ...known, text });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#sessions.clear().map((session) => session.end()));
  }

  async #relay(asked: Asked): Promise<Response> {
    const { request: { method, headers }, text: body, session, signal } = asked;
    try {
      const sent = { method, fields: handedOn(headers), body, signal };
      const response = await (session ?? this.#parent).send(sent);
      this.#noteSession(asked, response);
      return await this.#answer(asked, response);
    } catch (error) {
      return failed(asked, this.#parent.failure(error, signal));
    }
  }

  /** Sessions begin and end with what the parent answers. */
  #noteSession(asked: Asked, { status, ok, headers }: Response): void {
    const { request: { method, headers: fields }, sessionId, text, principal } = asked;
    const given = headers.get(SESSION_FIELD);
    if (sessionId !== null) {
      if (status === 404 || (method === "DELETE" && ok)) this.#sessions.delete(sessionId);
    } else if (given !== null && text !== undefined && ok) {
      const handshake = { fields: handedOn(fields), text, sessionId: given };
      this.#sessions.add(given, principal, new ParentSession(this.#parent, handshake));
    }
  }

  async #answer(asked: Asked, response: Response): Promise<Response> {
    const { status, body } = response;
    const headers = new Headers(handedOn(response.headers).map(([name, value]) => [name, value]));
    if (asked.sessionId !== null && headers.has(SESSION_FIELD)) {
      headers.set(SESSION_FIELD, asked.sessionId); // which may be another at the parent by now
    }
    if (body === null) return new Response(null, { status, headers });
    if (isEventStream(response)) {
      return new Response(this.#streamOf(asked, body), { status, headers });
    }
    const isForeign = status >= 400 && !/json/i.test(headers.get("content-type") ?? "");
    if (isForeign && asked.text !== undefined) {
      await body.cancel();
      throw this.#parent.misfit(`answered with HTTP ${status}`, { status });
    }
    return new Response(await readBytes(body, MAX_ANSWER_BYTES), { status, headers });
  }

  #streamOf(
    { text, controller, signal }: Asked,
    body: ReadableStream<Uint8Array>,
  ): ReadableStream<Uint8Array> {
    const events = guarded(body, {
      requests: requestsIn(text),
      signal,
      failure: (thrown) =>
        thrown === undefined
          ? this.#parent.misfit("ended its stream without an answer")
          : this.#parent.failure(thrown, signal),
    });
    return new ReadableStream({
      async pull(stream) {
        const { done, value } = await events.next();
        if (done === true) stream.close();
        else stream.enqueue(value);
      },
      // Not by way of the events: they may be waiting for the parent.
      cancel: () => controller.abort(),
    });
  }
}

/** The answer to a request that could not be relayed; each request in it gets its own. */
function failed({ text }: Asked, error: BowireError): Response {
  const answers = requestsIn(text).map(({ id }) => failureText(id, error));
  const [first = failureText(null, error)] = answers;
  return new Response(answers.length > 1 ? `[${answers.join(",")}]` : first, {
    status: 502,
    headers: { "content-type": "application/json" },
  });
}

function requestsIn(text: string | undefined): Message[] {
  try {
    return text === undefined ? [] : readMessages(text).filter(isRequest);
  } catch {
    return []; // no JSON; the parent says so
  }
}
