/**
 * The values that number and string tokens stand for.
 *
 * @module
 */
import { failAt, type Source } from "../failure.ts";
import type { Token } from "./lexer.ts";

/** Longest integer that is read exactly; the longest of 64 bits has 22 octal digits. */
const MAX_INTEGER_LENGTH = 64;

/** The value of an integer token: decimal, octal or hexadecimal; too long ones have none. */
export function integerOf(source: Source, token: Token): bigint | undefined {
  const digits = source.text.slice(token.start, token.end);
  if (digits.length > MAX_INTEGER_LENGTH) return undefined;
  return BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
}

/** The value of a number token as a double. */
export function doubleOf(source: Source, token: Token): number {
  const digits = source.text.slice(token.start, token.end);
  if (token.kind === "float") return Number(digits.replace(/[fF]$/, ""));
  const exact = integerOf(source, token);
  return exact === undefined ? Number(digits) : Number(exact);
}

const ENCODER = new TextEncoder();
const SIMPLE = new Map([
  ["a", 7],
  ["b", 8],
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ["\\", 92],
  ["'", 39],
  ['"', 34],
  ["?", 63],
]);
const ESCAPE =
  /\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([abtnvfr\\'"?]))/y;

/**
 * The bytes of a string token, in UTF-8 unless its escapes say otherwise.
 *
 * @throws {BowireError} `bad_document` for an escape that is not one.
 */
export function bytesOf(source: Source, token: Token): Uint8Array {
  const { text } = source;
  const last = token.end - 1;
  const start = token.start + 1;
  const first = text.indexOf("\\", start);
  if (first < 0 || first >= last) return ENCODER.encode(text.slice(start, last));
  const parts: Uint8Array[] = [];
  let from = start;
  for (let at = first; at >= 0 && at < last; at = text.indexOf("\\", from)) {
    parts.push(ENCODER.encode(text.slice(from, at)));
    const { bytes, end } = readEscape(source, at);
    parts.push(bytes);
    from = end;
  }
  parts.push(ENCODER.encode(text.slice(from, last)));
  return concatBytes(parts);
}

function readEscape(source: Source, at: number): { bytes: Uint8Array; end: number } {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(source.text);
  if (match === null) failAt(source, at, "the string has an escape that is not known");
  const [all, hex, octal, short, long, simple] = match;
  const end = at + all.length;
  const byte = hex !== undefined
    ? parseInt(hex, 16)
    : octal !== undefined
    ? parseInt(octal, 8)
    : SIMPLE.get(simple ?? "");
  if (byte !== undefined) return { bytes: Uint8Array.of(byte), end };
  const code = parseInt(short ?? long ?? "", 16);
  if (code > 0x10ffff) failAt(source, at, "the string has an escape beyond Unicode");
  const low = code >= 0xd800 && code < 0xdc00 ? lowSurrogateAt(source.text, end) : undefined;
  if (low === undefined) return { bytes: ENCODER.encode(String.fromCodePoint(code)), end };
  return { bytes: ENCODER.encode(String.fromCharCode(code, low)), end: end + 6 };
}

function lowSurrogateAt(text: string, at: number): number | undefined {
  const digits = /^\\u(d[c-f][0-9a-f]{2})$/i.exec(text.slice(at, at + 6))?.[1];
  return digits === undefined ? undefined : parseInt(digits, 16);
}

/** All bytes in one array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
