/**
 * What a compiler says about a text that it cannot take.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/error.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";

/** A text and the path that it is imported by. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** Most characters of a stranger's name in a message. */
const MAX_QUOTED = 120;

/** A name or a piece of source in double quotes, on one line and cut. */
export function quote(text: string): string {
  return JSON.stringify(cleanLine(text.slice(0, 2 * MAX_QUOTED), MAX_QUOTED));
}

/** Line and column of an offset, both counted from 1, the column in UTF-16 units. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", start)) {
    line++;
    start = end + 1;
  }
  return { line, column: offset - start + 1 };
}

/**
 * Ends the compilation.
 *
 * @throws {BowireError} `bad_document`, always.
 */
export function failAt(source: Source, offset: number, problem: string, hint?: string): never {
  const { line, column } = placeOf(source.text, offset);
  throw new BowireError(
    "bad_document",
    `cannot compile ${quote(source.path)}: line ${line}, column ${column}: ${problem}`,
    {
      hint: hint ?? "correct the file, or leave it out",
      details: { path: source.path, line, column },
    },
  );
}
