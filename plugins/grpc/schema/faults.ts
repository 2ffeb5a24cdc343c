/**
 * What is wrong with the files of a server, in sentences.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";

/** Most sentences; one more says that there are others. */
const MAX_FAULTS = 50;
const MAX_SENTENCE_LENGTH = 500;
const MAX_NAME_LENGTH = 200;

/** Collects sentences, each once. */
export class Faults {
  readonly #sentences: Set<string>;

  /** Begins with the sentences of others, which stay as they are. */
  constructor(others?: Faults) {
    this.#sentences = new Set(others === undefined ? [] : others.#sentences);
  }

  /** Adds a sentence. */
  add(sentence: string): void {
    this.#sentences.add(cleanLine(sentence, MAX_SENTENCE_LENGTH));
  }

  /** The sentences, the first ones of many. */
  list(): string[] {
    const sentences = [...this.#sentences];
    const more = sentences.length - MAX_FAULTS;
    return more <= 0
      ? sentences
      : [...sentences.slice(0, MAX_FAULTS), `there are ${more} more faults like these`];
  }
}

/** A name of a server, in quotes. */
export function quote(name: string): string {
  return JSON.stringify(cleanLine(name, MAX_NAME_LENGTH));
}
