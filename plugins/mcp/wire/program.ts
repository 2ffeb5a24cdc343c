/**
 * A program of this machine: a message a line (MCP 2025-11-25 and 2026-07-28, stdio).
 *
 * @module
 */
import { stripVTControlCharacters } from "node:util";
import { BowireError, messageOf } from "../../../lib/errors/mod.ts";
import {
  type CallContext,
  place,
  type Program,
  redactText,
  type Target,
} from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { JsonObject } from "../../../lib/schema/json_schema.ts";
import { parseJson } from "../../../lib/schema/mod.ts";
import {
  type Incoming,
  type Message,
  type MessageId,
  notificationOf,
  readMessages,
  type Reply,
  replyOf,
  requestOf,
} from "./message.ts";
import type { Answered, Exchange, Wire } from "./wire.ts";

const MAX_NOTE_LENGTH = 300;

/** A request that is not answered. */
interface Waiting {
  readonly exchange: Exchange;
  readonly settle: (reply: Reply) => void;
  readonly fail: (error: unknown) => void;
}

/** Messages to and from one program, which the first of them starts. */
export class ProgramWire implements Wire {
  readonly isHttp = false;
  readonly #target: Target;
  /** By the ids of the requests. */
  readonly #waiting = new Map<unknown, Waiting>();
  #program: Program | undefined;
  #isOver = false;
  /** Why it has ended. */
  #failure: BowireError | undefined;

  constructor(target: Target) {
    this.#target = target;
  }

  get isOpen(): boolean {
    return !this.#isOver;
  }

  async request(id: MessageId, message: Message, exchange: Exchange): Promise<Answered> {
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    const { signal } = exchange.context;
    signal.throwIfAborted();
    const onAbort = () => {
      reject(signal.reason);
      // The handshake is not to be cancelled (MCP 2025-11-25, cancellation).
      if (message.method === "initialize") return;
      const params = { requestId: id, reason: "the caller gave up, or its time is over" };
      this.notify({ method: "notifications/cancelled", params }, exchange).catch(() => {});
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.set(id, { exchange, settle: (reply) => resolve(reply), fail: reject });
    try {
      this.#write(requestOf(id, message), exchange.context);
      return { reply: await promise };
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  listen(): Promise<Disposable> {
    return Promise.resolve({ [Symbol.dispose]() {} }); // all comes the one way
  }

  notify(message: Message, { context }: Exchange): Promise<void> {
    return Promise.try(() => this.#write(notificationOf(message), context));
  }

  reset(): void {} // there is one session a program

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#program?.close();
  }

  /**
   * Not waited for: a program may answer before it has read all, and one that reads nothing must not
   * hold up the end of the call.
   *
   * @throws {BowireError} when it has ended or cannot be started.
   */
  #write(message: JsonObject, context: CallContext): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#program === undefined) {
      this.#program = context.openProgram(this.#target);
      this.#pump(this.#program);
    }
    const program = this.#program;
    // Its end says more than what keeps it from listening.
    program.write(JSON.stringify(message)).catch(() => program.close());
  }

  /** Hears the program to its end. */
  async #pump(program: Program): Promise<void> {
    let cause: unknown;
    try {
      for await (const line of program.lines) {
        for (const incoming of readLine(line)) this.#hear(incoming, program);
      }
    } catch (error) {
      cause = error;
    }
    this.#isOver = true;
    await program.close();
    const failure = this.#failure = this.#ended(program, cause);
    for (const { fail } of this.#waiting.values()) fail(failure);
  }

  #hear(incoming: Incoming, program: Program): void {
    if (incoming.kind === "reply") return this.#waiting.get(incoming.id)?.settle(incoming.reply);
    // It does not say which request it is about, but for progress; the latest is the likeliest.
    const latest = [...this.#waiting.values()].at(-1)?.exchange;
    if (incoming.kind === "notification") {
      const token = incoming.message.params["progressToken"];
      return (this.#waiting.get(token)?.exchange ?? latest)?.notice(incoming.message);
    }
    this.#reply(incoming, { program, exchange: latest });
  }

  async #reply(
    { id, message }: Incoming & { kind: "request" },
    { program, exchange }: { program: Program; exchange: Exchange | undefined },
  ): Promise<void> {
    const error = { code: -32603, message: "nobody is waiting for an answer of yours" };
    const reply = await exchange?.answer(message) ?? { error };
    await program.write(JSON.stringify(replyOf(id, reply))).catch(() => {}); // it has ended
  }

  #ended({ notes }: Program, cause: unknown): BowireError {
    const reason = cause === undefined ? "the program has ended" : messageOf(cause);
    const last = notes.slice(-3).map((note) =>
      redactText(cleanLine(stripVTControlCharacters(note), MAX_NOTE_LENGTH))
    );
    const said = last.length === 0 ? "" : `; it wrote: ${last.join(" | ")}`;
    return new BowireError(
      cause instanceof BowireError ? cause.code : "unreachable",
      `no answer from ${place(this.#target)}: ${reason}${said}`,
      {
        hint: "is its command right, with all its arguments and environment?",
        retryable: cause === undefined,
        cause,
      },
    );
  }
}

/** Messages in a line; what is none is passed over: some programs print a greeting. */
function readLine(line: string): Incoming[] {
  try {
    return readMessages(parseJson(line));
  } catch {
    return [];
  }
}
