/**
 * Documents that were loaded before. A call soon after a discovery does not load again; a new
 * discovery asks only whether the document has changed.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import type { CallContext, Target } from "../../../lib/protocol/mod.ts";
import { findDocument, type Look } from "./find.ts";
import type { DocumentRequest } from "../request/metadata.ts";
import { isUnchanged } from "./source.ts";

/** How long a document is taken for unchanged, in milliseconds. */
const TTL_MS = 60_000;
/** Most bytes of documents that are remembered, as they were sent. */
const MAX_BYTES = 128 * 1024 * 1024;
/** The least that a document counts for, so that there are not too many of them. */
const MIN_WEIGHT = 1024 * 1024;

interface Entry {
  readonly loading: Promise<readonly Look[]>;
  /** Set once it is loaded. */
  looks?: readonly Look[];
  weight: number;
  /** Infinite while the document is loading. */
  staleAtMs: number;
}

/**
 * Loads documents by target URL and credentials, so that what one caller's credentials opened is not
 * shown to another. Concurrent loads are one; what failed is not remembered.
 */
export class DocumentCache {
  /** The latest used last. */
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /**
   * The looks that led to a target's document, the last of which has it, if there is one.
   *
   * @param options.isFresh whether a document that was loaded before is held against its source
   * even when that was a moment ago.
   * @throws {BowireError} as {@linkcode findDocument} does.
   */
  async load(
    target: Target,
    context: CallContext,
    options: { request: DocumentRequest; isFresh: boolean },
  ): Promise<readonly Look[]> {
    const key = JSON.stringify([target.url, options.request]);
    const known = this.#entries.get(key);
    if (known === undefined) return await this.#start(key, { target, ...options }, context);
    this.#entries.delete(key);
    this.#entries.set(key, known);
    if (known.looks !== undefined) {
      const isYoung = !options.isFresh && this.#nowMs() < known.staleAtMs;
      if (isYoung || await this.#isCurrent(known, context)) return known.looks;
      return await this.#start(key, { target, ...options }, context);
    }
    try {
      return await known.loading;
    } catch (error) {
      // Whoever began may have given up; that is no reason to give up here.
      const isOthers = error instanceof BowireError && /^(cancelled|timeout)$/.test(error.code);
      if (!isOthers || context.signal.aborted) throw error;
      return await this.load(target, context, options);
    }
  }

  async #start(
    key: string,
    { target, request }: { target: Target; request: DocumentRequest },
    context: CallContext,
  ): Promise<readonly Look[]> {
    const loading = findDocument(target, request, context);
    const entry: Entry = { loading, weight: MIN_WEIGHT, staleAtMs: Infinity };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    try {
      const looks = await loading;
      const { sources } = looks.at(-1) ?? {};
      if (sources === undefined) return looks;
      entry.looks = looks;
      entry.weight = sources.reduce((sum, { size }) => sum + size, MIN_WEIGHT);
      entry.staleAtMs = this.#nowMs() + TTL_MS;
      return looks;
    } finally {
      if (entry.looks === undefined && this.#entries.get(key) === entry) this.#entries.delete(key);
      this.#forgetOldest();
    }
  }

  async #isCurrent(entry: Entry, context: CallContext): Promise<boolean> {
    const { sources = [], isWhole } = entry.looks?.at(-1) ?? {};
    if (isWhole !== true) return false;
    const answers = await Promise.all(sources.map((source) => isUnchanged(source, context)));
    entry.staleAtMs = this.#nowMs() + TTL_MS;
    return answers.every((isSame) => isSame);
  }

  #forgetOldest(): void {
    let sum = 0;
    for (const [key, { weight, looks }] of [...this.#entries].reverse()) {
      sum += weight;
      if (sum > MAX_BYTES && looks !== undefined) this.#entries.delete(key);
    }
  }
}
