/**
 * Documents that were loaded a moment ago, so that a call after a discovery does not load again.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { CallContext, Target } from "../../../lib/protocol/mod.ts";
import { findDocument, type Headers, type Look } from "./find.ts";

/** How long a document is remembered, in milliseconds. */
const TTL_MS = 60_000;
/** Most documents that are remembered. */
const MAX_DOCUMENTS = 32;

interface Entry {
  readonly loading: Promise<readonly Look[]>;
  /** Infinite while the document is loading. */
  staleAtMs: number;
}

/**
 * Loads documents by target URL and headers, so that what one caller's credentials opened is not
 * shown to another. Concurrent loads are one; what failed is not remembered.
 */
export class DocumentCache {
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The looks that led to a target's document, the last of which has it, if there is one.
   *
   * @param options.isFresh whether a document that was loaded before is passed over.
   * @throws {BowireError} as {@linkcode findDocument} does.
   */
  async load(
    target: Target,
    context: CallContext,
    options: { headers: Headers; isFresh: boolean },
  ): Promise<readonly Look[]> {
    this.#forgetStale();
    const known = this.#entries.get(keyOf(target, options.headers));
    if (known === undefined || (options.isFresh && known.staleAtMs < Infinity)) {
      return await this.#start(target, context, options.headers);
    }
    try {
      return await known.loading;
    } catch (error) {
      // Whoever began may have given up; that is no reason to give up here.
      const isOthers = error instanceof BowireError && error.code === "cancelled";
      if (!isOthers || context.signal.aborted) throw error;
      return await this.#start(target, context, options.headers);
    }
  }

  async #start(target: Target, context: CallContext, headers: Headers): Promise<readonly Look[]> {
    const key = keyOf(target, headers);
    const loading = findDocument(target, headers, context);
    const entry: Entry = { loading, staleAtMs: Infinity };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_DOCUMENTS && oldest !== undefined) this.#entries.delete(oldest);
    let isFound = false;
    try {
      const looks = await loading;
      isFound = looks.at(-1)?.document !== undefined;
      entry.staleAtMs = this.#nowMs() + TTL_MS;
      return looks;
    } finally {
      if (!isFound && this.#entries.get(key) === entry) this.#entries.delete(key);
    }
  }

  #forgetStale(): void {
    const nowMs = this.#nowMs();
    for (const [key, { staleAtMs }] of this.#entries) {
      if (staleAtMs <= nowMs) this.#entries.delete(key);
    }
  }
}

function keyOf(target: Target, headers: Headers): string {
  return JSON.stringify([target.url, headers]);
}
