/**
 * Relays a child that speaks over a pair of byte streams, one message a line.
 *
 * @module
 */
import { messageOf } from "../../errors/mod.ts";
import { idIn } from "../../mcp/id_in.ts";
import { readLines } from "../../schema/lines.ts";
import { errorText, keyOf, type Message, readMessages, RpcCode } from "../message.ts";
import type { Parent } from "../parent.ts";
import { Exchange } from "./exchange.ts";
import { ParentLink } from "./link.ts";

/** Longest line that is read, in bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How long requests in flight may still take once the input has ended, in milliseconds. */
const DRAIN_MS = 2000;

/** The two ends of the pipe. */
export interface RelayStreamsOptions {
  /** What the child writes. */
  readonly input: ReadableStream<Uint8Array>;
  /** What the child reads. */
  readonly output: WritableStream<Uint8Array>;
  /** Hears of trouble that no answer can carry. */
  readonly onTrouble?: (error: Error) => void;
}

/** Settles when the input has ended and what was in flight is answered, or the child is gone. */
export async function relayStreams(parent: Parent, options: RelayStreamsOptions): Promise<void> {
  const relay = new StreamRelay(parent, options);
  await relay.run(options.input);
}

class StreamRelay {
  readonly #parent: Parent;
  readonly #output: WritableStreamDefaultWriter<Uint8Array>;
  readonly #onTrouble: (error: Error) => void;
  readonly #gone = new AbortController();
  readonly #link: ParentLink;
  /** By the ids of their requests. */
  readonly #inFlight = new Map<string, Exchange>();
  readonly #running = new Set<Promise<void>>();
  /** The handshake, which is over before anything else is sent. */
  #handshake: Promise<void> = Promise.resolve();

  constructor(parent: Parent, { output, onTrouble = () => {} }: RelayStreamsOptions) {
    this.#parent = parent;
    this.#output = output.getWriter();
    this.#onTrouble = onTrouble;
    this.#link = new ParentLink(parent, {
      signal: this.#gone.signal,
      write: (text) => this.#write(text),
    });
  }

  async run(input: ReadableStream<Uint8Array>): Promise<void> {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    this.#gone.signal.addEventListener("abort", () => resolve(), { once: true });
    await Promise.race([this.#pump(input).catch(this.#onTrouble), gone]);
    this.#gone.abort();
    await this.#link.close();
    this.#output.releaseLock();
  }

  async #pump(input: ReadableStream<Uint8Array>): Promise<void> {
    for await (const { text, isTooLong } of readLines(input, MAX_LINE_BYTES)) {
      if (isTooLong) {
        await this.#refuse(idIn(text), `the message is longer than ${MAX_LINE_BYTES} bytes`);
      } else if (text.trim() !== "") await this.#receive(text);
    }
    await this.#drain();
  }

  async #receive(text: string): Promise<void> {
    let messages: Message[];
    try {
      messages = readMessages(text);
    } catch (error) {
      const message = `Parse error: ${messageOf(error)}`;
      return await this.#write(errorText(null, { code: RpcCode.parseError, message }));
    }
    const [first] = messages;
    if (first === undefined || (first.method === undefined && first.id === undefined)) {
      return await this.#refuse(null, "not a JSON-RPC 2.0 message");
    }
    if (first.method === "notifications/cancelled" && this.#giveUp(first)) return;
    this.#start(text, messages);
  }

  /** Gives up a request; true when the parent hears of it by that alone. */
  #giveUp({ params }: Message): boolean {
    const exchange = this.#inFlight.get(keyOf(params["requestId"]));
    if (exchange === undefined) return false;
    if (exchange.standsAlone) exchange.cancel();
    return exchange.standsAlone;
  }

  #start(text: string, messages: readonly Message[]): void {
    const exchange = new Exchange(
      {
        parent: this.#parent,
        link: this.#link,
        write: (text) => this.#write(text),
        onTrouble: this.#onTrouble,
      },
      text,
      { messages, signal: this.#gone.signal },
    );
    const { keys } = exchange;
    for (const key of keys) this.#inFlight.set(key, exchange);
    const [{ method = "" } = {}] = messages;
    const running = this.#handshake.then(() => exchange.run()).then(() => {
      for (const key of keys) this.#inFlight.delete(key);
      if (method === "notifications/initialized") this.#link.listen();
      // A parent says nothing more to what was cancelled; some leave the stream open.
      if (method === "notifications/cancelled") this.#letGo(messages);
    });
    if (method === "initialize" || method === "notifications/initialized") {
      this.#handshake = running;
    }
    if (exchange.isEndless) return;
    this.#running.add(running);
    running.finally(() => this.#running.delete(running));
  }

  #letGo(messages: readonly Message[]): void {
    for (const { params } of messages) this.#inFlight.get(keyOf(params["requestId"]))?.cancel();
  }

  #refuse(id: unknown, reason: string): Promise<void> {
    const message = `Invalid Request: ${reason}`;
    return this.#write(errorText(id, { code: RpcCode.invalidRequest, message }));
  }

  /** A line ends a message: those that the text has between its values are no part of it. */
  async #write(text: string): Promise<void> {
    try {
      const line = `${text.replace(/[\r\n]+/g, " ")}\n`;
      await this.#output.write(new TextEncoder().encode(line));
    } catch {
      this.#gone.abort(); // nobody reads any more
    }
  }

  async #drain(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, DRAIN_MS);
    await Promise.race([Promise.allSettled(this.#running), promise]);
    clearTimeout(timer);
  }
}
