/**
 * A way to a server, whatever carries the messages.
 *
 * @module
 */
import type { CallContext } from "../../../lib/protocol/mod.ts";
import type { Message, MessageId, Reply } from "./message.ts";

/** What goes on while a request of ours is not answered. */
export interface Exchange {
  readonly context: CallContext;
  /** Header fields of the message, where it travels by HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers a request of the server. */
  answer(message: Message): Promise<Reply>;
  /** Hears a notification of the server. */
  notice(message: Message): void;
}

/** An answer, and how it came. */
export interface Answered {
  readonly reply: Reply;
  /** HTTP status, where it came by HTTP. */
  readonly status?: number;
}

/** Sends messages and gets answers. */
export interface Wire {
  /** Whether messages travel by HTTP, with header fields that tell of them. */
  readonly isHttp: boolean;
  /** Whether it can still be used. */
  readonly isOpen: boolean;
  /**
   * Sends a request and waits for its answer.
   *
   * @throws {BowireError} what keeps the message from arriving, or its answer from coming back.
   * @throws {HttpRefusal} for an answer by HTTP that is none of MCP.
   */
  request(id: MessageId, message: Message, exchange: Exchange): Promise<Answered>;
  /**
   * Hears what the server says outside of its answers, from when this settles until it is disposed
   * of. Where there is no such way, nothing is heard. Never throws.
   */
  listen(exchange: Exchange): Promise<Disposable>;
  /** @throws as `request` does. */
  notify(message: Message, exchange: Exchange): Promise<void>;
  /** Forgets the session, so that another can begin. */
  reset(): void;
  /** Ends the session, and what carries it. Never throws. */
  close(context: CallContext): Promise<void>;
}
