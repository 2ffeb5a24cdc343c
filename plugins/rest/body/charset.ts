/**
 * Text as the bytes of the charset that its content type names.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError } from "../../../lib/errors/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";

const UTF_8 = /^utf-?8$/i;
/** Charsets of one byte a character, with the character that is their last. */
const ONE_BYTE: readonly (readonly [name: RegExp, last: number])[] = [
  [/^(us-)?ascii$/i, 0x7f],
  [/^(iso-?8859-1|latin1)$/i, 0xff],
];

/**
 * Encodes text; UTF-8 is left to whoever sends it.
 *
 * @param charset UTF-8 when it is not given.
 * @param options.isForm whether the text has percent-encoded bytes.
 * @throws {BowireError} `invalid_argument` when the text cannot be written in it.
 */
export function encodeCharset(
  text: string,
  charset: string | undefined,
  { isForm }: { isForm: boolean },
): string | Uint8Array<ArrayBuffer> {
  if (charset === undefined || UTF_8.test(charset)) return text;
  const last = ONE_BYTE.find(([name]) => name.test(charset))?.[1];
  const name = JSON.stringify(cleanLine(charset, 40));
  if (last === undefined) throw refusal(`${name} is none of UTF-8, ISO-8859-1 and US-ASCII`);
  const isBeyond = Array.from(text).some((char) => char.charCodeAt(0) > last);
  // The bytes of a form are those of UTF-8.
  if (isBeyond || isForm && /%[89A-F]/i.test(text)) {
    throw refusal(`it has characters that ${name} has not, or spells otherwise`);
  }
  return new Uint8Array(Buffer.from(text, "latin1"));
}

/** The charset that an XML document declares of itself (XML 1.0, 4.3.3). */
export function declaredCharset(xml: string): string | undefined {
  return /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)/.exec(xml)?.[1];
}

function refusal(reason: string): BowireError {
  return new BowireError(
    "invalid_argument",
    `cannot send the body in the charset of its content type: ${reason}`,
    { hint: "name another content type as metadata, such as text/plain; charset=utf-8" },
  );
}
