/**
 * One server, spoken to: who it is, and requests of its own revision.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import { entriesOf, isObject, type JsonObject, textOf } from "../../../lib/schema/json_schema.ts";
import { HttpRefusal } from "../wire/http_refusal.ts";
import type { Message } from "../wire/message.ts";
import type { Answered, Wire } from "../wire/wire.ts";
import type { Attendant } from "./attendant.ts";
import { envelope, MODERN_VERSION, type ServerFacts } from "./facts.ts";
import { meet, resultOf } from "./handshake.ts";
import { headersOf } from "../../../lib/protocol/mcp_wire/header_fields.ts";
import { Shared } from "./shared.ts";

/** Most times that one request is sent again with what the server asked for. */
const MAX_ROUNDS = 16;

/** What stands behind a request. */
export interface Asker {
  readonly context: CallContext;
  readonly attendant: Attendant;
  /** Header fields besides, by lower-case name. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Speaks with one server. The first request finds out how. */
export class Connection {
  readonly #wire: Wire;
  readonly #facts = new Shared<ServerFacts>();
  #nextId = 1;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** False when it is of no more use. */
  get isOpen(): boolean {
    return this.#wire.isOpen;
  }

  /** Whether header fields tell of messages. */
  get isHttp(): boolean {
    return this.#wire.isHttp;
  }

  /**
   * Who the server is.
   *
   * @throws as {@linkcode meet} does.
   */
  facts(asker: Asker): Promise<ServerFacts> {
    return this.#facts.get(asker.context.signal, () => this.#meet(asker));
  }

  /**
   * Makes a request; what the server asks in the meantime is answered by the attendant.
   *
   * @returns the result.
   * @throws as {@linkcode facts} does; {@linkcode RpcFailure} for an error of the server.
   */
  async request(message: Message, asker: Asker): Promise<JsonObject> {
    let { params } = message;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#ask({ ...message, params }, asker);
      if (result["resultType"] !== "input_required") return result;
      const responses = await answersTo(result["inputRequests"], asker.attendant);
      const state = textOf(result["requestState"]);
      params = {
        ...message.params,
        ...(responses === undefined ? {} : { inputResponses: responses }),
        ...(state === undefined ? {} : { requestState: state }),
      };
    }
    const { method } = message;
    throw new BowireError("call_failed", `${method} was given up: the server asks without an end`);
  }

  /** Ends the session, and the program if it is one. */
  close(context: CallContext): Promise<void> {
    return this.#wire.close(context);
  }

  /** One exchange, in a new session where the server has forgotten the old one. */
  async #ask(message: Message, asker: Asker): Promise<JsonObject> {
    const facts = await this.facts(asker);
    // Older servers may ask by a stream that belongs to no request.
    const mayAsk = message.method === "tools/call" && facts.version !== MODERN_VERSION;
    const exchange = this.#exchangeOf(message, facts.version, asker);
    using _listening = mayAsk ? await this.#wire.listen(exchange) : undefined;
    try {
      const answered = await this.#send(message, facts.version, asker);
      if (answered.status !== 404 || facts.version === MODERN_VERSION) return resultOf(answered);
    } catch (error) {
      const isForgotten = error instanceof HttpRefusal && error.status === 404;
      if (!isForgotten || facts.version === MODERN_VERSION) throw error;
    }
    // Of several requests that find it forgotten, the first begins anew.
    if (this.#facts.forget(facts)) this.#wire.reset();
    const { version } = await this.facts(asker);
    return resultOf(await this.#send(message, version, asker));
  }

  #meet(asker: Asker): Promise<ServerFacts> {
    return meet({
      send: (message, version) => this.#send(message, version, asker),
      notify: (message, version) =>
        this.#wire.notify(message, this.#exchangeOf(message, version, asker)),
    }, this.#wire.isHttp);
  }

  /** @param version none before the server has named one. */
  #send(message: Message, version: string | undefined, asker: Asker): Promise<Answered> {
    const id = this.#nextId++;
    const given = message.params["_meta"];
    const meta = {
      ...(isObject(given) ? given : {}),
      ...(version === MODERN_VERSION ? envelope() : {}),
      progressToken: id,
    };
    const whole = { ...message, params: { ...message.params, _meta: meta } };
    return this.#wire.request(id, whole, this.#exchangeOf(whole, version, asker));
  }

  #exchangeOf(message: Message, version: string | undefined, asker: Asker) {
    const { context, attendant, headers = {} } = asker;
    const own = version === MODERN_VERSION
      ? headersOf(message, version)
      : version === undefined
      ? {}
      : { "mcp-protocol-version": version };
    return {
      context,
      headers: { ...headers, ...own },
      answer: (request: Message) => attendant.answer(request),
      notice: (notification: Message) => hear(notification, context),
    };
  }
}

/** A sign of life puts off the end of the call. */
function hear({ method, params }: Message, context: CallContext): void {
  if (method !== "notifications/progress") return;
  const { progress: done, total, message } = params;
  if (typeof done !== "number") return;
  context.report({
    done,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  });
}

async function answersTo(
  requests: unknown,
  attendant: Attendant,
): Promise<JsonObject | undefined> {
  const answers: Record<string, unknown> = {};
  for (const [key, request] of entriesOf(requests)) {
    if (!isObject(request)) continue;
    const params = isObject(request["params"]) ? request["params"] : {};
    const reply = await attendant.answer({ method: textOf(request["method"]) ?? "", params });
    // What is refused is left out, and the server sees that it is.
    if ("result" in reply) answers[key] = reply.result;
  }
  return Object.keys(answers).length === 0 ? undefined : answers;
}
