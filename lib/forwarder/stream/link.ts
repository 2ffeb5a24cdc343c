/**
 * A child's link to the parent: with which header fields its messages go, and within which session.
 *
 * @module
 */
import { USER_AGENT } from "../../protocol/http/kit.ts";
import { headersOf } from "../../protocol/mcp_wire/header_fields.ts";
import { isObject, type JsonObject, textOf } from "../../schema/json_schema.ts";
import { type Field, overlaid } from "../fields.ts";
import type { Message } from "../message.ts";
import type { Parent, ParentRequest } from "../parent.ts";
import { ParentSession, resultOf, SESSION_FIELD } from "../session.ts";
import { listen } from "./listen.ts";
import { ToolHeaders } from "./tool_headers.ts";

/** What every message goes with. */
const FIELDS: readonly Field[] = [
  ["accept", "application/json, text/event-stream"],
  ["content-type", "application/json"],
  ["user-agent", USER_AGENT],
];

/** Most pages of a list of tools. */
const MAX_PAGES = 100;
const LIST_ID = "bowire-forwarder-tools";

/** Lists whose change a parent may tell. */
const LISTS = ["tools", "resources", "prompts"];

/** The other end of a link. */
export interface LinkOptions {
  /** Aborts when the child is gone. */
  readonly signal: AbortSignal;
  /** Hands a message to the child. */
  write(text: string): Promise<void>;
}

/** One link. */
export class ParentLink {
  readonly #parent: Parent;
  readonly #options: LinkOptions;
  readonly #tools = new ToolHeaders();
  #session: ParentSession | undefined;
  /** The revision that a handshake has settled, or that the child names in its requests. */
  #settled: string | undefined;
  #named: string | undefined;

  constructor(parent: Parent, options: LinkOptions) {
    this.#parent = parent;
    this.#options = options;
  }

  /**
   * Sends a message, or a batch of them.
   *
   * @throws {BowireError} as `Parent.send` does.
   */
  async post(text: string, messages: readonly Message[], signal: AbortSignal): Promise<Response> {
    const [first] = messages;
    if (first === undefined) throw new RangeError("there is no message");
    const standsAlone = first.version !== undefined || first.method === "initialize";
    const send = () => {
      const fields = overlaid(FIELDS, this.#fieldsOf(first));
      return this.#send({ method: "POST", fields, body: text, signal }, standsAlone);
    };
    const response = await send();
    const mayLack = first.method === "tools/call" && standsAlone && !this.#tools.knows(first);
    if (response.status !== 400 || !mayLack) return response;
    // The child knows the tool from elsewhere: its list says what the header is to repeat.
    await response.body?.cancel();
    await this.#list(first, signal);
    return await send();
  }

  /** Takes up a stream again that ended before its answer came. */
  async resume(lastId: string, signal: AbortSignal): Promise<Response> {
    const fields = overlaid(FIELDS, {
      ...this.#versionField,
      accept: "text/event-stream",
      "last-event-id": lastId,
    });
    return await this.#send({ method: "GET", fields, signal }, false);
  }

  /** Takes note of what an answer says that bears on the messages to come. */
  async learn(request: Message, result: JsonObject, answer: Asked): Promise<void> {
    if (request.method === "tools/list") this.#tools.learn(result);
    if (request.method !== "initialize") return;
    await this.#session?.end(); // the child begins anew
    this.#settled = textOf(result["protocolVersion"]);
    const sessionId = answer.response.headers.get(SESSION_FIELD);
    const handshake = { fields: FIELDS, text: answer.text, sessionId: sessionId ?? "" };
    this.#session = sessionId === null ? undefined : new ParentSession(this.#parent, handshake, {
      onRenewed: (again) => this.#tellRenewal(result, again),
    });
  }

  /** Begins to hear what the parent says of its own accord. */
  listen(): void {
    if (this.#session === undefined) return;
    const { signal, write } = this.#options;
    const fields = overlaid(FIELDS, this.#versionField);
    listen(this.#session, { fields, signal, onText: write });
  }

  /** Lets the parent know that the child is gone. */
  async close(): Promise<void> {
    await this.#session?.end();
  }

  /** Reads the tools' list in the name of a request. */
  async #list(request: Message, signal: AbortSignal): Promise<void> {
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page++) {
      const params = {
        _meta: request.params["_meta"],
        ...(cursor === undefined ? {} : { cursor }),
      };
      const message = { ...request, method: "tools/list", params };
      const response = await this.#parent.send({
        method: "POST",
        fields: overlaid(FIELDS, this.#fieldsOf(message)),
        body: JSON.stringify({ jsonrpc: "2.0", id: LIST_ID, method: message.method, params }),
        signal,
      });
      const result = await resultOf(response);
      if (result === undefined) return;
      this.#tools.learn(result);
      cursor = result["nextCursor"];
      if (cursor === undefined) return;
    }
  }

  get #versionField(): Record<string, string> {
    return this.#settled === undefined ? {} : { "mcp-protocol-version": this.#settled };
  }

  #fieldsOf(message: Message): Record<string, string> {
    const { method, params, version } = message;
    if (version !== undefined) this.#named = version;
    // A handshake begins anew, whatever was said before.
    if (method === "initialize" && version === undefined) return {};
    const named = version ?? (this.#settled === undefined ? this.#named : undefined);
    if (method === undefined || named === undefined) return this.#versionField;
    return { ...headersOf({ method, params }, named), ...this.#tools.fieldsOf(message) };
  }

  #send(request: ParentRequest, standsAlone: boolean): Promise<Response> {
    return this.#session === undefined || standsAlone
      ? this.#parent.send(request)
      : this.#session.send(request);
  }

  /** A parent that was restarted may offer other things: the child hears of the lists it knows. */
  #tellRenewal(before: JsonObject, after: JsonObject): void {
    for (const list of LISTS) {
      if (![before, after].every((result) => mayTell(result, list))) continue;
      const method = `notifications/${list}/list_changed`;
      this.#options.write(JSON.stringify({ jsonrpc: "2.0", method }));
    }
  }
}

/** A request that was answered, and by what. */
export interface Asked {
  readonly text: string;
  readonly response: Response;
}

function mayTell({ capabilities }: JsonObject, list: string): boolean {
  const own = isObject(capabilities) ? capabilities[list] : undefined;
  return isObject(own) && own["listChanged"] === true;
}
