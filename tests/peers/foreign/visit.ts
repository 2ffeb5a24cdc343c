// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * A visit of a foreign server: operation after operation, each with what must come of it, one
 * line each.
 *
 * @module
 */
import type { Answer, RestAgent } from "../rest_agent.ts";

/** A server to visit. */
export interface Tour {
  readonly name: string;
  /** Files without which it cannot be visited. */
  readonly needs: readonly string[];
  /** The Debian packages that have those of them which npm has not. */
  readonly packages: readonly string[];
  /** Starts the server, makes the visit and ends the server. */
  run(tally: Tally): Promise<void>;
}

/** Looks at an answer; what it throws is why the operation failed. */
export type Check = (answer: Answer) => void | Promise<void>;

/** Calls `Service/method` with arguments and looks at its answer. */
export type CallMethod = (name: string, body: unknown, check: Check) => Promise<void>;

/** Counts operations and tells how each went. */
export class Tally {
  readonly #signal: AbortSignal;
  operations = 0;
  failed = 0;

  /** @param signal ends the visit before its next operation. */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Makes a whole visit; that it broke off is told and counted as one failed operation. */
  async visit(tour: Tour): Promise<void> {
    console.log(tour.name);
    try {
      await tour.run(this);
    } catch (error) {
      if (this.#signal.aborted) throw error;
      this.operations++;
      this.#fail("the visit broke off", error);
    }
  }

  /** Runs one operation; its failure is told and counted, and does not end the visit. */
  async run(name: string, operation: () => Promise<unknown>): Promise<void> {
    this.#signal.throwIfAborted();
    this.operations++;
    const started = performance.now();
    try {
      await operation();
      console.log(`  ok      ${name} (${Math.round(performance.now() - started)} ms)`);
    } catch (error) {
      this.#fail(name, error);
    }
  }

  /** Calls methods through an agent, one operation each. */
  caller(agent: RestAgent): CallMethod {
    return (name, body, check) => this.run(name, async () => check(await agent.call(name, body)));
  }

  #fail(name: string, error: unknown): void {
    this.failed++;
    console.log(`  FAILED  ${name}`);
    console.log(String(error).replaceAll(/^/gm, "          "));
  }
}
