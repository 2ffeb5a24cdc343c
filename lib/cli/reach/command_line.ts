/**
 * A command line in one text, as people write it, cut into words without a shell.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";

/** Quoted text, an escaped character, or what is neither. */
const PIECE = /"((?:[^"\\]|\\.)*)"|'([^']*)'|\\([\s"'\\])|([^\s"'])/gsy;

/**
 * The words of a command line. Quotes keep white space together, and a backslash takes the meaning
 * from a quote, a space or another backslash; nothing else is special.
 *
 * @throws {BowireError} `usage` when there is no word, or a quote is not closed.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (true) {
    at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    if (at >= text.length) break;
    let word = "";
    while (at < text.length && !/\s/.test(text.charAt(at))) {
      PIECE.lastIndex = at;
      const piece = PIECE.exec(text);
      if (piece === null) throw unclosed(text.charAt(at));
      const [whole, doubled, single, escaped, plain] = piece;
      word += doubled?.replace(/\\(["\\])/g, "$1") ?? single ?? escaped ?? plain;
      at += whole.length;
    }
    words.push(word);
  }
  if (words.length > 0) return words;
  throw new BowireError("usage", "cannot start a program: its command is empty");
}

function unclosed(mark: string): BowireError {
  return new BowireError("usage", `cannot read the command: a ${mark} is not closed`);
}
