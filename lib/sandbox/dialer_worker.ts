/**
 * One worker that runs plugins, as the main thread sees it.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { messageOf } from "../errors/mod.ts";
import type { Frame, FrameStream, StreamEnd } from "../model/mod.ts";
import { FAREWELL_MS, type Scope, UNATTENDED } from "../protocol/mod.ts";
import {
  type Favour,
  type Inbound,
  type Order,
  type Outbound,
  type Outcome,
  outcomeOf,
  unwrap,
} from "./border.ts";
import { KeptValues } from "./memo.ts";
import { Pulse, type PulseLimits } from "./pulse.ts";
import { startWorker, type WorkerStart } from "./start_worker.ts";
import { cancelled, lost } from "./unanswered.ts";

const log = getLogger(["bowire", "sandbox"]);

/** How long a call that was given up may still take to end by itself, in milliseconds. */
const GRACE_MS = 1000;

/** Most favours at once: each of them may be a file of 64 MiB, read one after the other. */
const MAX_FAVOURS = 1000;

/** What a worker is made of. */
export interface WorkerParts extends WorkerStart {
  readonly limits: PulseLimits | undefined;
  /** Does what plugins may not do themselves. */
  grant(favour: Favour, argument: string): Promise<unknown>;
  /** Called when it must not get new calls any more. */
  onUnfit(): void;
  /** Called when it has ended. */
  onEnd(): void;
}

/** A call that has not ended. */
interface Running {
  readonly order: Order;
  readonly scope: Scope;
  readonly settle: (outcome: Outcome) => void;
  readonly onFrame?: (frame: Frame) => void;
}

/** Runs calls in a worker that was started for it, until it is retired and the last has ended. */
export class DialerWorker {
  /** Settles when it can take calls, or has ended. */
  readonly ready: Promise<void>;
  readonly #parts: WorkerParts;
  readonly #worker: Worker;
  readonly #pulse: Pulse;
  readonly #running = new Map<number, Running>();
  readonly #kept = new KeptValues();
  readonly #startup = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #nextId = 1;
  /** Those that plugins wait for. */
  #favours = 0;
  #isRetired = false;
  #isEnded = false;

  /** @throws {Error} `NotCapable` when `net` has what this process may not reach. */
  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.ready = this.#startup.promise;
    this.#worker = startWorker(parts);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Outbound>) => {
      try {
        this.#hear(data);
      } catch (error) { // plugins could have sent it: nothing of theirs may end this process
        this.#lose(`it sent what is no message: ${messageOf(error)}`);
      }
    });
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault(); // or it would end this process
      this.#lose(event.message);
    });
    this.#pulse = new Pulse({
      beat: () => this.#post({ kind: "ping" }),
      onSilence: () => this.retire(),
      onDeath: (reason) => this.#lose(reason),
    }, parts.limits);
  }

  /** Lets the gate inside admit more URLs. */
  allow(urls: readonly string[], arbitrary: boolean): void {
    this.#post({ kind: "allow", urls, arbitrary });
  }

  /** Runs one call that is answered once. */
  async run(order: Order, scope: Scope): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#start({ order, scope, settle: resolve });
    return unwrap(await promise);
  }

  /** Runs one call that is answered by frames. Each crosses when it is asked for, and not before. */
  async *stream(order: Order, scope: Scope): FrameStream {
    // A new promise for each: one that lives on would keep hold of all that it was raced against.
    let next = Promise.withResolvers<{ frame: Frame } | { outcome: Outcome }>();
    const id = this.#start({
      order,
      scope,
      onFrame: (frame) => next.resolve({ frame }),
      settle: (outcome) => next.resolve({ outcome }),
    });
    try {
      while (true) {
        this.#post({ kind: "more", id });
        const came = await next.promise;
        // What a stream in the worker returned.
        if ("outcome" in came) return unwrap(came.outcome) as StreamEnd | undefined;
        next = Promise.withResolvers();
        yield came.frame;
      }
    } finally {
      this.#giveUp(id);
    }
  }

  /** Takes no further calls, and ends when those that run have ended. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#parts.onUnfit();
    if (this.#running.size === 0) this.#leave();
  }

  /** Ends after the last words of its protocols. What runs fails as cancelled. */
  async stop(): Promise<void> {
    for (const id of [...this.#running.keys()]) {
      this.#post({ kind: "abort", id });
      this.#settle(id, cancelled());
    }
    this.retire();
    await this.#ended.promise;
  }

  #start(running: Running): number {
    const id = this.#nextId++;
    const { limit, signal } = running.scope;
    const onAbort = () => {
      // When the time is over, the worker knows it by itself and says so in the error.
      if (signal.aborted) this.#giveUp(id);
      else after(GRACE_MS, () => this.#giveUp(id));
    };
    limit.addEventListener("abort", onAbort, { once: true });
    const settle = (outcome: Outcome) => {
      // A signal that is listened to keeps the process alive until its time is over.
      limit.removeEventListener("abort", onAbort);
      running.settle(outcome);
    };
    this.#running.set(id, { ...running, settle });
    if (this.#isEnded) this.#settle(id, lost(running.order));
    else {
      this.#post({ kind: "call", id, order: running.order });
      this.#pulse.start();
    }
    return id;
  }

  #hear(message: Outbound): void {
    switch (message.kind) {
      case "ready":
        return this.#startup.resolve();
      case "pong":
        return this.#pulse.hear(message.memoryBytes);
      case "uncaught":
        log.error("a plugin left an error uncaught: {text}", { text: message.text });
        return message.isFatal ? this.#lose("an exception was not caught") : undefined;
      case "frame":
        return this.#running.get(message.id)?.onFrame?.(message.frame);
      case "progress":
        return this.#running.get(message.id)?.scope.onProgress?.(message.progress);
      case "ask":
        return void this.#grant(message);
      case "closed":
        return this.#end();
      case "done":
        return this.#settle(message.id, this.#kept.unpack(message.outcome, message.memo));
    }
  }

  async #grant(message: Outbound & { kind: "ask" }): Promise<void> {
    const { id } = message;
    if (typeof id !== "number" || ++this.#favours > MAX_FAVOURS) {
      return this.#lose("it asked for too much, or without a number");
    }
    const outcome = await outcomeOf(async () =>
      message.favour === "question"
        ? await this.#running.get(message.call)?.scope.onQuestion?.(message.question) ?? UNATTENDED
        : await this.#parts.grant(message.favour, message.argument)
    );
    this.#favours--;
    this.#post({ kind: "answer", id, outcome });
  }

  /** Tells the worker, and lets go of the call when that does not end it. */
  #giveUp(id: number): void {
    if (!this.#running.has(id)) return;
    this.#post({ kind: "abort", id });
    after(GRACE_MS, () => this.#settle(id, cancelled()));
  }

  #settle(id: number, outcome: Outcome): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    this.#running.delete(id);
    running.settle(outcome);
    if (this.#running.size > 0) return;
    this.#pulse.stop();
    if (this.#isRetired) this.#leave();
  }

  /** Lets protocols say a last word to those whom they are connected to, and ends. */
  #leave(): void {
    this.#post({ kind: "close" });
    after(2 * FAREWELL_MS, () => this.#end());
  }

  /** The worker is no more, or must not be. */
  #lose(reason: string): void {
    if (this.#isEnded) return;
    log.error("the worker that runs plugins was lost: {reason}", { reason });
    this.#end();
    for (const [id, { order }] of [...this.#running]) {
      this.#settle(id, lost(order));
    }
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#pulse.stop();
    this.#worker.terminate();
    this.#startup.resolve();
    this.#ended.resolve();
    this.retire();
    this.#parts.onEnd();
  }

  #post(message: Inbound): void {
    if (!this.#isEnded) this.#worker.postMessage(message);
  }
}

/** Does something later, unless the process ends before. */
function after(delayMs: number, action: () => void): void {
  Deno.unrefTimer(setTimeout(action, delayMs));
}
