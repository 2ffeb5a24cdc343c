/**
 * A program of this machine: a message a line (MCP 2025-11-25 and 2026-07-28, stdio).
 *
 * @module
 */
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
      const params = { requestId: id, reason: "the caller gave up, or its time is over" };
      this.notify({ method: "notifications/cancelled", params }, exchange).catch(() => {});
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#waiting.set(id, { exchange, settle: (reply) => resolve(reply), fail: reject });
    try {
      await this.#write(requestOf(id, message), exchange.context);
      return { reply: await promise };
    } finally {
      this.#waiting.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  listen(): Promise<Disposable> {
    return Promise.resolve({ [Symbol.dispose]() {} }); // all comes the one way
  }

  async notify(message: Message, { context }: Exchange): Promise<void> {
    await this.#write(notificationOf(message), context);
  }

  reset(): void {} // there is one session a program

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#program?.close();
  }

  async #write(message: JsonObject, context: CallContext): Promise<void> {
    if (this.#program === undefined) {
      this.#program = context.openProgram(this.#target);
      this.#pump(this.#program);
    }
    await this.#program.write(JSON.stringify(message));
  }

  /** Hears the program to its end. */
  async #pump(program: Program): Promise<void> {
    let reason = "the program has ended";
    try {
      for await (const line of program.lines) {
        for (const incoming of readLine(line)) this.#hear(incoming, program);
      }
    } catch (error) {
      reason = messageOf(error);
    }
    this.#isOver = true;
    await program.close();
    const error = this.#ended(reason, program);
    for (const { fail } of this.#waiting.values()) fail(error);
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

  #ended(reason: string, { notes }: Program): BowireError {
    const last = notes.slice(-3).map((note) => redactText(cleanLine(note, MAX_NOTE_LENGTH))).join(
      " | ",
    );
    const said = last === "" ? "" : `; it wrote: ${last}`;
    return new BowireError(
      "unreachable",
      `no answer from ${place(this.#target)}: ${reason}${said}`,
      {
        hint: "is its command right, with all its arguments and environment?",
        retryable: true,
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
