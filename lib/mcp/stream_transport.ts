/**
 * MCP over a pair of byte streams, one JSON-RPC message a line.
 *
 * The SDK has such a transport; this one answers lines that are not messages, survives lines that
 * are too long, keeps numbers exact, and lets requests in flight finish when the input ends.
 *
 * @module
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { messageOf } from "../errors/mod.ts";
import { isRawJson, parseJson, type RawJson } from "../schema/mod.ts";
import { readLines } from "../schema/lines.ts";
import { idIn } from "./id_in.ts";

/** Longest line that is read, in bytes. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** How long requests in flight may still take once the input has ended, in milliseconds. */
const DRAIN_MS = 500;

/** A server's transport over byte streams. Ends itself when the input ends. */
export class StreamTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  readonly #input: ReadableStream<Uint8Array>;
  readonly #output: WritableStreamDefaultWriter<Uint8Array>;
  readonly #inFlight = new Set<RequestId>();
  readonly #ended = Promise.withResolvers<void>();
  #drained: (() => void) | undefined;
  #isClosed = false;

  constructor(input: ReadableStream<Uint8Array>, output: WritableStream<Uint8Array>) {
    this.#input = input;
    this.#output = output.getWriter();
  }

  /** Settles when the transport has closed. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  start(): Promise<void> {
    this.#pump().catch((error) => this.onerror?.(error)).finally(() => this.close());
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      this.#settle(message.id);
    }
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    this.#ended.resolve();
    this.onclose?.();
    return Promise.resolve();
  }

  async #pump(): Promise<void> {
    for await (const line of readLines(this.#input, MAX_LINE_BYTES)) {
      if (this.#isClosed) return;
      if (line.isTooLong) {
        await this.#refuse(
          idIn(line.text),
          -32600,
          `Invalid Request: the message is longer than ${MAX_LINE_BYTES} bytes`,
        );
      } else if (line.text.trim() !== "") await this.#receive(line.text);
    }
    await this.#drain();
  }

  async #receive(text: string): Promise<void> {
    let value: unknown;
    try {
      value = parseJson(text);
    } catch (error) {
      return await this.#refuse(null, -32700, `Parse error: ${messageOf(error)}`);
    }
    // Revision 2025-03-26 has batches; their answers may come one by one (JSON-RPC 2.0, section 6).
    for (const item of Array.isArray(value) && value.length > 0 ? value : [value]) {
      try {
        this.#deliver(parseJSONRPCMessage(item));
      } catch {
        await this.#refuse(idOf(item), -32600, "Invalid Request: not a JSON-RPC 2.0 message");
      }
    }
  }

  #deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      // A subscription lasts as long as the connection: it is not waited for.
      if (message.method !== "subscriptions/listen") this.#inFlight.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      const cancelled = message.params?.requestId;
      if (typeof cancelled === "string" || typeof cancelled === "number") this.#settle(cancelled);
    }
    this.onmessage?.(message);
  }

  #refuse(id: RequestId | RawJson | null, code: number, message: string): Promise<void> {
    return this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  async #write(message: unknown): Promise<void> {
    try {
      await this.#output.write(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
    } catch (error) {
      // Nobody reads any more: there is no use in going on.
      await this.close();
      throw error;
    }
  }

  #settle(id: RequestId | undefined): void {
    if (id !== undefined) this.#inFlight.delete(id);
    if (this.#inFlight.size === 0) this.#drained?.();
  }

  async #drain(): Promise<void> {
    if (this.#inFlight.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#drained = resolve;
    const timer = setTimeout(resolve, DRAIN_MS);
    await promise;
    clearTimeout(timer);
  }
}

/** The id of a message that is none; one that is larger than a double holds is given back as it is. */
function idOf(value: unknown): RequestId | RawJson | null {
  if (value === null || typeof value !== "object" || !("id" in value)) return null;
  const { id } = value;
  return typeof id === "string" || typeof id === "number" || isRawJson(id) ? id : null;
}
