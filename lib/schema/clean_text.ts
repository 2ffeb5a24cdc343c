/**
 * Text from documents and servers, made fit to be shown: what a person cannot see, a model must
 * not read either.
 *
 * @module
 */

// Control, format (zero-width, bidirectional, tags) and other default-ignorable characters, and
// halves of surrogate pairs. Line feed and tab are kept.
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

// What nearly all texts consist of, and what takes no closer look.
const UNUSUAL = /[^\n\t\x20-\x7e]/;

/** Text without invisible characters, cut to `maxLength` UTF-16 units; lines are kept. */
export function cleanText(text: string, maxLength: number): string {
  const visible =
    (UNUSUAL.test(text) ? text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(INVISIBLE, "") : text)
      .trim();
  if (visible.length <= maxLength) return visible;
  // A cut may halve a surrogate pair; the half goes too.
  return `${visible.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** {@linkcode cleanText} on one line: every run of white space becomes one space. */
export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text.replace(/\s+/g, " "), maxLength);
}
