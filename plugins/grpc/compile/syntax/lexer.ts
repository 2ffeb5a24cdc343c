/**
 * Cuts the text of a .proto file into tokens, one at a time.
 *
 * @module
 */
import { failAt, quote, type Source } from "../failure.ts";

/** What a token is. */
export type TokenKind = "word" | "integer" | "float" | "string" | "symbol" | "end";

/** One token: a piece of the source from `start` up to, not including, `end`. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const SLASH = 47;
const STAR = 42;
const DOT = 46;
const BACKSLASH = 92;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code);
}

/** Whether a character is white space other than a line feed. */
export function isBlank(code: number): boolean {
  return code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN && code !== LINE_FEED);
}

/** The end of the comment that starts at an offset; the same offset when none starts there. */
export function skipComment(source: Source, start: number): number {
  const { text } = source;
  if (text.charCodeAt(start) !== SLASH) return start;
  const second = text.charCodeAt(start + 1);
  if (second === SLASH) {
    const end = text.indexOf("\n", start);
    return end < 0 ? text.length : end + 1;
  }
  if (second !== STAR) return start;
  const end = text.indexOf("*/", start + 2);
  if (end < 0) failAt(source, start, "the comment has no end: expected */");
  return end + 2;
}

/** The first offset from `start` on that is neither white space nor in a comment. */
export function skipSpace(source: Source, start: number): number {
  const { text } = source;
  let at = start;
  while (true) {
    let code = text.charCodeAt(at);
    while (code === LINE_FEED || isBlank(code)) code = text.charCodeAt(++at);
    if (code !== SLASH) return at;
    const end = skipComment(source, at);
    if (end === at) return at;
    at = end;
  }
}

/**
 * The token that starts at an offset.
 *
 * @throws {BowireError} `bad_document` for a string or number that is not one.
 */
export function readToken(source: Source, start: number): Token {
  const { text } = source;
  if (start >= text.length) return { kind: "end", start, end: start };
  const code = text.charCodeAt(start);
  if (isWordStart(code)) return { kind: "word", start, end: endOfWord(text, start) };
  if (isDigit(code) || (code === DOT && isDigit(text.charCodeAt(start + 1)))) {
    return readNumber(source, start);
  }
  if (code === 34 || code === 39) return { kind: "string", start, end: endOfString(source, start) };
  return { kind: "symbol", start, end: start + 1 };
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (isWordPart(text.charCodeAt(at))) at++;
  return at;
}

function endOfString(source: Source, start: number): number {
  const { text } = source;
  const quoteCode = text.charCodeAt(start);
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quoteCode) return at + 1;
    if (code === LINE_FEED) break;
    if (code === BACKSLASH) at++;
  }
  return failAt(source, start, "the string has no end on its line");
}

const INTEGER = /0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*/y;
const FLOAT = /[0-9]*\.[0-9]*(?:[eE][+-]?[0-9]+)?[fF]?|[0-9]+(?:[eE][+-]?[0-9]+[fF]?|[fF])/y;

function readNumber(source: Source, start: number): Token {
  const { text } = source;
  for (const [kind, pattern] of [["float", FLOAT], ["integer", INTEGER]] as const) {
    pattern.lastIndex = start;
    if (!pattern.test(text)) continue;
    const end = pattern.lastIndex;
    // "0x1" and "1.5.2" are no number followed by something.
    const next = text.charCodeAt(end);
    if (!isWordPart(next) && next !== DOT) return { kind, start, end };
  }
  return failAt(source, start, `${quote(text.slice(start, start + 20))} starts like a number`);
}
