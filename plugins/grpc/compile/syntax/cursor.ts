/**
 * Walks along the tokens of one file, and says what it expected when it meets something else.
 *
 * @module
 */
import { failAt, quote, type Source } from "../failure.ts";
import { readToken, skipSpace, type Token } from "./lexer.ts";
import { bytesOf, concatBytes, integerOf } from "./literals.ts";

const DECODER = new TextDecoder();

/** A place in a file: the present token and the ones after it. */
export class Cursor {
  readonly source: Source;
  #token: Token;
  #lastEnd = 0;

  constructor(source: Source) {
    this.source = source;
    this.#token = readToken(source, skipSpace(source, 0));
  }

  get token(): Token {
    return this.#token;
  }

  /** Where the token before the present one ended. */
  get lastEnd(): number {
    return this.#lastEnd;
  }

  /** The present token as written. */
  get text(): string {
    return this.source.text.slice(this.#token.start, this.#token.end);
  }

  /** The token after the present one. */
  peek(): Token {
    return readToken(this.source, skipSpace(this.source, this.#token.end));
  }

  /** Goes on by one token and returns the one that it leaves. */
  next(): Token {
    const left = this.#token;
    this.#lastEnd = left.end;
    this.#token = readToken(this.source, skipSpace(this.source, left.end));
    return left;
  }

  /** Whether the present token is this word or symbol. */
  isAt(text: string): boolean {
    const { kind, start, end } = this.#token;
    return end - start === text.length && kind !== "string" &&
      this.source.text.startsWith(text, start);
  }

  /** Goes past a word or symbol if it is there. */
  accept(text: string): boolean {
    const is = this.isAt(text);
    if (is) this.next();
    return is;
  }

  /** Goes past a word or symbol that must be there. */
  expect(text: string): void {
    if (!this.accept(text)) this.fail(quote(text));
  }

  /** Goes past a name and returns it. */
  word(what: string): string {
    if (this.#token.kind !== "word") this.fail(what);
    const { text } = this;
    this.next();
    return text;
  }

  /** Goes past an integer without a sign, of at most 64 bits. */
  integer(what: string): bigint {
    const token = this.#token;
    if (token.kind !== "integer") this.fail(what);
    this.next();
    return integerOf(this.source, token) ?? failAt(this.source, token.start, "too large a number");
  }

  /** Goes past neighbouring strings, which are one, and returns its bytes. */
  bytes(what: string): Uint8Array {
    if (this.#token.kind !== "string") this.fail(what);
    const parts: Uint8Array[] = [];
    while (this.#token.kind === "string") parts.push(bytesOf(this.source, this.next()));
    return concatBytes(parts);
  }

  /** Goes past neighbouring strings and returns their text. */
  string(what: string): string {
    return DECODER.decode(this.bytes(what));
  }

  /**
   * Says what was expected at the present token.
   *
   * @throws {BowireError} `bad_document`, always.
   */
  fail(expected: string): never {
    const found = this.#token.kind === "end" ? "the end of the file" : quote(this.text);
    return failAt(this.source, this.#token.start, `expected ${expected}, found ${found}`);
  }
}
