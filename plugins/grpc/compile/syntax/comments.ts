/**
 * Tells which comments after a token belong to the declaration that it ends, which to the next one,
 * and which to none: the rules of `descriptor.proto`, `SourceCodeInfo.Location`.
 *
 * @module
 */
import type { Source } from "../failure.ts";
import { isBlank, skipComment } from "./lexer.ts";

/** The comments between two tokens. */
export interface Comments {
  /** Of the declaration before. */
  readonly trailing: string | undefined;
  /** Of nobody; they stand before the next declaration. */
  readonly detached: readonly string[];
  /** Of the declaration after. */
  readonly leading: string | undefined;
}

const NONE: Comments = { trailing: undefined, detached: [], leading: undefined };
const LINE_FEED = "\n";

/** The comments from an offset on up to the next token. */
export function readComments(source: Source, start: number): Comments {
  const { text } = source;
  const isFileStart = start === 0;
  let at = skipBlanks(text, start);
  if (!isFileStart && text[at] !== LINE_FEED && text[at] !== "/") return NONE;
  const collector = new Collector(!isFileStart);
  let lineEnd = start;
  if (!isFileStart) {
    const end = skipComment(source, at);
    if (end > at) {
      lineEnd = isLineComment(text, at) ? end - 1 : end;
      collector.add(text, at, end);
      collector.flush();
      at = end;
    } else if (text[at] === LINE_FEED) at++;
  }
  while (true) {
    at = skipBlanks(text, at);
    const end = skipComment(source, at);
    if (end > at) {
      collector.add(text, at, end);
      at = isLineComment(text, at) ? end : skipLineEnd(text, end);
    } else if (text[at] === LINE_FEED) {
      collector.flush();
      collector.detach();
      at++;
    } else {
      const isSameLine = !isFileStart && !text.slice(lineEnd, at).includes(LINE_FEED);
      return collector.finish(text[at], isSameLine);
    }
  }
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at++;
  return at;
}

function skipLineEnd(text: string, start: number): number {
  const at = skipBlanks(text, start);
  return text[at] === LINE_FEED ? at + 1 : at;
}

function isLineComment(text: string, at: number): boolean {
  return text[at + 1] === "/";
}

/** Gathers comments: neighbouring line comments are one. */
class Collector {
  readonly #detached: string[] = [];
  readonly #lines: string[] = [];
  #trailing: string | undefined;
  #hasLineComment = false;
  #mayTrail: boolean;

  constructor(mayTrail: boolean) {
    this.#mayTrail = mayTrail;
  }

  add(text: string, start: number, end: number): void {
    const isLine = isLineComment(text, start);
    if (!isLine || !this.#hasLineComment) this.flush();
    this.#hasLineComment = isLine;
    this.#lines.push(
      isLine ? text.slice(start + 2, end) : blockText(text.slice(start + 2, end - 2)),
    );
  }

  /** What was gathered stands alone. */
  flush(): void {
    if (this.#lines.length === 0) return;
    const comment = this.#lines.splice(0).join("");
    if (this.#mayTrail) this.#trailing = comment;
    else this.#detached.push(comment);
    this.#mayTrail = false;
  }

  /** What follows a blank line belongs to no declaration before it. */
  detach(): void {
    this.#mayTrail = false;
  }

  /** All comments, before a token that starts with `next`. */
  finish(next: string | undefined, isSameLine: boolean): Comments {
    // At the end of a scope there is no next declaration.
    if (next === undefined || "}])".includes(next)) this.flush();
    const pending = this.#lines.length > 0 ? 1 : 0;
    const trailing = this.#trailing === undefined ? 0 : 1;
    if (isSameLine && pending + trailing + this.#detached.length === 1) {
      // Between two declarations on one line: it may belong to either.
      this.flush();
      if (this.#trailing !== undefined) this.#detached.push(this.#trailing);
      this.#trailing = undefined;
    }
    const leading = this.#lines.length > 0 ? this.#lines.join("") : undefined;
    return { trailing: this.#trailing, detached: this.#detached, leading };
  }
}

/** The text of a block comment without the stars that start its lines. */
function blockText(text: string): string {
  return text.replace(/\n[^\S\n]*\*?/g, "\n");
}
