/**
 * What a client has asked of a session for as long as it lasts: how much is logged, and which
 * resources it wants to hear of (MCP 2025-11-25, logging and resources). In a session that is made
 * again, the same is asked again.
 *
 * @module
 */
import { type Message, readMessages } from "./message.ts";

/** Most that is remembered of one session; the oldest gives way. */
const MAX_WISHES = 1000;
/** Longest that is remembered, in characters. */
const MAX_CHARS = 16_384;
const WISH = /"(?:logging\/setLevel|resources\/(?:un)?subscribe)"/;

/** The wishes of one session. */
export class Wishes {
  /** By what they are about, the text of the request. */
  readonly #texts = new Map<string, string>();

  /** The requests, in the order in which they came. */
  get texts(): readonly string[] {
    return [...this.#texts.values()];
  }

  /** Remembers a request that the parent has taken, if it is such. */
  note(text: string): void {
    if (text.length > MAX_CHARS || !WISH.test(text)) return;
    const message = onlyMessageIn(text);
    if (message === undefined) return;
    const { method, params } = message;
    const isSubscription = /^resources\/(?:un)?subscribe$/.test(method ?? "");
    const key = isSubscription ? `resource ${params["uri"]}` : method;
    if (key === undefined || !isSubscription && method !== "logging/setLevel") return;
    this.#texts.delete(key);
    if (method !== "resources/unsubscribe") this.#texts.set(key, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > MAX_WISHES && oldest !== undefined) this.#texts.delete(oldest);
  }
}

function onlyMessageIn(text: string): Message | undefined {
  try {
    const [message, ...others] = readMessages(text);
    return others.length === 0 ? message : undefined;
  } catch {
    return undefined; // whatever the parent made of it
  }
}
