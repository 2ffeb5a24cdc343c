/**
 * One message of a child, from its line to the lines that answer it.
 *
 * @module
 */
import type { Resumption } from "../../protocol/mcp_wire/events.ts";
import { pause } from "../../protocol/mcp_wire/pause.ts";
import { isObject } from "../../schema/json_schema.ts";
import { parseJson } from "../../schema/mod.ts";
import { failureText, isAnswer, isRequest, keyOf, type Message, readMessages } from "../message.ts";
import type { Parent } from "../parent.ts";
import { isEventStream, textsOf } from "../texts.ts";
import type { ParentLink } from "./link.ts";

/** How long to wait before a stream is taken up again when the parent does not say, in milliseconds. */
const DEFAULT_RETRY_MS = 1000;
/** How often one answer is looked for again. */
const MAX_RESUMPTIONS = 100;

/** What an exchange draws on. */
export interface ExchangeParts {
  readonly parent: Parent;
  readonly link: ParentLink;
  /** Hands a message to the child. */
  write(text: string): Promise<void>;
  /** Hears of trouble that no answer can carry. */
  onTrouble(error: Error): void;
}

/** A message, or a batch of them, on its way. */
export class Exchange {
  readonly #parts: ExchangeParts;
  readonly #text: string;
  readonly #messages: readonly Message[];
  /** The requests without an answer, by their id. */
  readonly #open: Map<string, Message>;
  readonly #controller = new AbortController();
  readonly #signal: AbortSignal;

  /** @param signal aborts when the child is gone. */
  constructor(parts: ExchangeParts, text: string, { messages, signal }: {
    messages: readonly Message[];
    signal: AbortSignal;
  }) {
    this.#parts = parts;
    this.#text = text;
    this.#messages = messages;
    this.#open = new Map(messages.filter(isRequest).map((request) => [keyOf(request.id), request]));
    this.#signal = AbortSignal.any([signal, this.#controller.signal]);
  }

  /** The keys of the requests without an answer. */
  get keys(): readonly string[] {
    return [...this.#open.keys()];
  }

  /** Whether it goes on until somebody ends it. */
  get isEndless(): boolean {
    return this.#messages.some(({ method }) => method === "subscriptions/listen");
  }

  /** Whether closing the stream is how the parent hears that it is given up (MCP 2026-07-28). */
  get standsAlone(): boolean {
    return this.#messages.some(({ version }) => version !== undefined);
  }

  /** Gives it up; no answer is owed any more. */
  cancel(): void {
    this.#controller.abort();
  }

  /** Goes through with it. Never throws: requests that cannot be relayed get an error for an answer. */
  async run(): Promise<void> {
    const { parent, link } = this.#parts;
    try {
      const response = await link.post(this.#text, this.#messages, this.#signal);
      await this.#relay(response);
      if (this.#open.size === 0) return;
      throw parent.misfit(
        response.status < 400
          ? "ended its answer without a result"
          : `answered with HTTP ${response.status}`,
        { status: response.status },
      );
    } catch (thrown) {
      if (this.#signal.aborted) return; // nobody waits for it
      const error = parent.failure(thrown, this.#signal);
      if (this.#open.size === 0) this.#parts.onTrouble(error);
      for (const { id } of this.#open.values()) await this.#parts.write(failureText(id, error));
    }
  }

  /** Hands over all that an answer brings, and goes back for what it lacks. */
  async #relay(first: Response): Promise<void> {
    const resumption: Resumption = { lastId: undefined, retryMs: undefined };
    let response = first;
    for (let round = 0; round <= MAX_RESUMPTIONS; round++) {
      try {
        for await (const text of textsOf(response, resumption)) await this.#deliver(text, response);
      } catch (error) {
        if (resumption.lastId === undefined) throw error;
      }
      const { lastId } = resumption;
      if (this.#open.size === 0 || lastId === undefined || !isEventStream(response)) return;
      await pause(resumption.retryMs ?? DEFAULT_RETRY_MS, this.#signal);
      response = await this.#parts.link.resume(lastId, this.#signal);
    }
  }

  async #deliver(text: string, response: Response): Promise<void> {
    const messages = this.#read(text);
    if (messages === undefined) return;
    for (const answer of messages.filter(isAnswer)) {
      const request = this.#open.get(keyOf(answer.id));
      if (request === undefined) continue;
      this.#open.delete(keyOf(answer.id));
      if (answer.result === undefined) continue;
      await this.#parts.link.learn(request, answer.result, { text: this.#text, response });
    }
    await this.#parts.write(this.#addressed(text, messages));
  }

  /** The messages of a text; `undefined` for what is none, such as the page of a proxy. */
  #read(text: string): Message[] | undefined {
    try {
      const messages = readMessages(text);
      return messages.length === 0 ? undefined : messages;
    } catch {
      return undefined;
    }
  }

  /** A refusal of the whole request names nobody; the child has to know whom it is for. */
  #addressed(text: string, messages: readonly Message[]): string {
    const [message] = messages;
    const [request] = this.#open.values();
    const isNameless = message !== undefined && isAnswer(message) && message.id === null;
    if (!isNameless || request === undefined || this.#open.size > 1) return text;
    const value = parseJson(text);
    if (!isObject(value)) return text;
    this.#open.clear();
    return JSON.stringify({ ...value, id: request.id });
  }
}
