/**
 * Tells a client how far its request is.
 *
 * @module
 */
import type { ServerContext } from "@modelcontextprotocol/server";
import type { Progress } from "../model/mod.ts";
import { cleanText } from "../schema/mod.ts";

/** Most notifications that wait to be sent; further steps are passed over until there is room. */
const MAX_WAITING = 100;
/** Most characters of a message, which may hold text of a target. */
const MAX_MESSAGE_CHARS = 220;

/**
 * Sends `notifications/progress` for one request: in order, each larger than the last, and none
 * after the result (MCP 2025-11-25 and 2026-07-28, progress).
 */
export class ProgressSender {
  readonly #request: ServerContext["mcpReq"];
  #last = -Infinity;
  #waiting = 0;
  #sending: Promise<void> = Promise.resolve();
  #isOver = false;
  /** Tells one step; absent when the client gave no token. */
  readonly report: ((progress: Progress) => void) | undefined;

  constructor(request: ServerContext["mcpReq"]) {
    this.#request = request;
    const progressToken = request._meta?.progressToken;
    if (progressToken === undefined) return;
    this.report = ({ done, total, message }) => {
      if (this.#isOver || this.#waiting >= MAX_WAITING) return;
      if (!Number.isFinite(done) || done <= this.#last) return;
      this.#last = done;
      this.#waiting++;
      const params = {
        progressToken,
        progress: done,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message: cleanText(message, MAX_MESSAGE_CHARS) }),
      };
      this.#sending = this.#sending.then(() => this.#send(params));
    };
  }

  /** Settles when what was told is sent; nothing is sent from now on. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#sending;
  }

  async #send(params: Record<string, unknown>): Promise<void> {
    this.#waiting--;
    if (this.#request.signal.aborted) return;
    // A client that is gone, or a transport that has no way back, need not know.
    await this.#request.notify({ method: "notifications/progress", params }).catch(() => {});
  }
}
