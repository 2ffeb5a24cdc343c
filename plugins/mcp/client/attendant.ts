/**
 * Answers what a server asks while a call goes on.
 *
 * @module
 */
import { messageOf } from "../../../lib/errors/mod.ts";
import type { TargetAnswer, TargetQuestion } from "../../../lib/model/mod.ts";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import { cleanLine, cleanText } from "../../../lib/schema/clean_text.ts";
import {
  entriesOf,
  isObject,
  type JsonObject,
  listOf,
  textOf,
} from "../../../lib/schema/json_schema.ts";
import { parseJson } from "../../../lib/schema/mod.ts";
import { type Message, type Reply, RpcCode } from "../wire/message.ts";

/** Longest text that a person is shown, in UTF-16 units. */
const MAX_TEXT_LENGTH = 20_000;
const MAX_NOTE_LENGTH = 300;

/** The person's side of one call. */
export class Attendant {
  readonly #context: CallContext;
  readonly #notes: string[] = [];

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Sentences on what was asked and not answered. */
  get notes(): readonly string[] {
    return this.#notes;
  }

  /** Answers a request of the server. */
  async answer({ method, params }: Message): Promise<Reply> {
    try {
      switch (method) {
        case "ping":
          return { result: {} };
        case "elicitation/create":
          return { result: await this.#elicit(params) };
        case "sampling/createMessage":
          return await this.#sample(params);
      }
      const message = `this client does not offer ${method}`;
      return { error: { code: RpcCode.methodNotFound, message } };
    } catch (error) {
      return { error: { code: -32603, message: messageOf(error) } };
    }
  }

  async #elicit(params: JsonObject): Promise<JsonObject> {
    const message = shown(params["message"]);
    if (params["mode"] === "url") return await this.#visit(message, textOf(params["url"]) ?? "");
    const schema = params["requestedSchema"];
    const answer = await this.#ask({ kind: "form", message, schema: JSON.stringify(schema ?? {}) });
    if (answer.action !== "accept") return { action: answer.action };
    const given = answer.content === undefined ? {} : parseJson(answer.content);
    return {
      action: "accept",
      content: { ...defaultsIn(schema), ...(isObject(given) ? given : {}) },
    };
  }

  /** A person is sent to web pages, and nowhere else. */
  async #visit(message: string, url: string): Promise<JsonObject> {
    const { protocol } = URL.parse(url) ?? {};
    if (protocol !== "https:" && protocol !== "http:") {
      this.#note(`declined to visit what is no http or https URL: "${message}"`);
      return { action: "decline" };
    }
    const { action } = await this.#ask({ kind: "visit", message, url: cleanLine(url, 2000) });
    return { action };
  }

  async #sample(params: JsonObject): Promise<Reply> {
    const message = [
      ...textOf(params["systemPrompt"]) === undefined ? [] : [`system: ${params["systemPrompt"]}`],
      ...listOf(params["messages"]).filter(isObject).flatMap(({ role, content }) =>
        (Array.isArray(content) ? content : [content]).filter(isObject).map((block) =>
          `${role}: ${textOf(block["text"]) ?? `(${block["type"]})`}`
        )
      ),
    ].join("\n");
    const { action, content } = await this.#ask({ kind: "reply", message: shown(message) });
    const text = content === undefined ? undefined : textOf(parseJson(content));
    if (action !== "accept" || text === undefined) {
      const error = { code: RpcCode.userRejected, message: "User rejected sampling request" };
      return { error };
    }
    const block = { type: "text", text };
    return { result: { role: "assistant", content: block, model: "human", stopReason: "endTurn" } };
  }

  async #ask(question: TargetQuestion): Promise<TargetAnswer> {
    const answer = await this.#context.ask(question);
    if (answer.isUnattended === true) {
      this.#note(`the server asked "${question.message}", and nobody was there to answer`);
    }
    return answer;
  }

  #note(text: string): void {
    this.#notes.push(cleanLine(text, MAX_NOTE_LENGTH));
  }
}

function shown(text: unknown): string {
  return cleanText(textOf(text) ?? "", MAX_TEXT_LENGTH);
}

/** The defaults of a form, for what the person has left out. */
function defaultsIn(schema: unknown): JsonObject {
  const properties = isObject(schema) ? entriesOf(schema["properties"]) : [];
  return Object.fromEntries(
    properties.flatMap(([name, property]) =>
      isObject(property) && "default" in property ? [[name, property["default"]]] : []
    ),
  );
}
