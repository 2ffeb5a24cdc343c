/**
 * Answers that were too large for a result, for as long as the process lives.
 *
 * @module
 */
import type { ResourceContents, ResourceDescription } from "../../mcp/mod.ts";

/** A whole answer: text, or bytes in base64. */
export type WholeAnswer =
  & { readonly mimeType: string }
  & ({ readonly text: string } | { readonly blob: string });

/** Most characters of all answers together. */
const MAX_KEPT_CHARS = 64 * 1024 * 1024;

const SCHEME = "bowire-answer://";

/**
 * Answers by a URI that nobody guesses: whoever got the result can read the rest. When there are too
 * many, the oldest goes.
 */
export class KeptAnswers {
  readonly #answers = new Map<string, WholeAnswer>();
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars = MAX_KEPT_CHARS) {
    this.#maxChars = maxChars;
  }

  /** Keeps an answer. @returns `undefined` when it alone is too large. */
  keep(answer: WholeAnswer, name: string): ResourceDescription | undefined {
    const chars = lengthOf(answer);
    if (chars > this.#maxChars) return undefined;
    const uri = `${SCHEME}${crypto.randomUUID()}`;
    this.#answers.set(uri, answer);
    this.#chars += chars;
    for (const [oldest, kept] of this.#answers) {
      if (this.#chars <= this.#maxChars) break;
      this.#answers.delete(oldest);
      this.#chars -= lengthOf(kept);
    }
    return { uri, name, mimeType: answer.mimeType, size: sizeOf(answer) };
  }

  /** The answer at a URI, if it is still there. */
  read(uri: string): ResourceContents | undefined {
    const answer = this.#answers.get(uri);
    return answer === undefined ? undefined : { uri, ...answer };
  }
}

function lengthOf(answer: WholeAnswer): number {
  return "text" in answer ? answer.text.length : answer.blob.length;
}

/** In bytes. */
function sizeOf(answer: WholeAnswer): number {
  return "text" in answer ? new TextEncoder().encode(answer.text).length : bytesOf(answer.blob);
}

/** The number of bytes that a text in base64 stands for. */
export function bytesOf(base64: string): number {
  return Math.floor(base64.replace(/=+$/, "").length * 3 / 4);
}
