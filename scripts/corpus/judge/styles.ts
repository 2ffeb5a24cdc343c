/**
 * Reads parameter values back from their text, by style and explode (OpenAPI 3.0.3, "Style
 * Values").
 *
 * @module
 */
import type { RawParameter } from "./inputs.ts";
import { isRawObject, type RawObject } from "./raw.ts";
import { isTextOf } from "./values.ts";

/** A value as texts. */
export type Decoded = string | readonly string[] | ReadonlyMap<string, string>;

/** What is needed to read a text. */
export interface Reading extends Pick<RawParameter, "name" | "style" | "explode"> {
  /** The value that should be there; only its being a list, an object or neither counts. */
  readonly like: unknown;
  /** Undoes the encoding of one piece. */
  decode(text: string): string;
}

interface Separators {
  readonly list: RegExp | string;
  readonly explodedList: RegExp | string;
  readonly explodedMap: RegExp | string;
}

const COMMA: Separators = { list: ",", explodedList: ",", explodedMap: "," };
const SEPARATORS: Readonly<Record<string, Separators>> = {
  simple: COMMA,
  form: COMMA,
  label: { list: ",", explodedList: ".", explodedMap: "." },
  matrix: { list: ",", explodedList: ";", explodedMap: ";" },
  spaceDelimited: { ...COMMA, list: /%20|\+| / },
  pipeDelimited: { ...COMMA, list: /%7C|\|/i },
};

/**
 * Reads one text.
 *
 * @throws {Error} when the text does not keep to the style.
 */
export function readText(text: string, reading: Reading): Decoded {
  const { name, style, explode, like, decode } = reading;
  const separators = SEPARATORS[style];
  if (separators === undefined) throw new Error(`there is no style "${style}"`);
  const isMap = isRawObject(like);
  const bare = withoutPrefix(text, { style, isNamed: !explode || !isMap, name });
  if (Array.isArray(like)) {
    const pieces = bare.split(explode ? separators.explodedList : separators.list);
    // Each item of an exploded matrix repeats the name; the first was taken off with the prefix.
    const repeated = style === "matrix" && explode ? `${name}=` : "";
    return pieces.map((piece, at) => decode(at === 0 ? piece : strip(piece, repeated)));
  }
  if (!isMap) return decode(bare);
  const pieces = bare.split(explode ? separators.explodedMap : separators.list);
  return new Map(explode ? pieces.map((piece) => pairOf(piece, decode)) : inTwos(pieces, decode));
}

/** Takes off what a style writes in front. */
function withoutPrefix(
  text: string,
  { style, isNamed, name }: { style: string; isNamed: boolean; name: string },
): string {
  if (style === "label") return strip(text, ".");
  if (style !== "matrix") return text;
  const afterSemicolon = strip(text, ";");
  return !isNamed || afterSemicolon === name ? afterSemicolon : strip(afterSemicolon, `${name}=`);
}

function strip(text: string, prefix: string): string {
  if (!text.startsWith(prefix)) throw new Error(`it does not begin with "${prefix}"`);
  return text.slice(prefix.length);
}

function pairOf(piece: string, decode: (text: string) => string): [string, string] {
  const at = piece.indexOf("=");
  if (at < 0) throw new Error("a member has no value");
  return [decode(piece.slice(0, at)), decode(piece.slice(at + 1))];
}

function inTwos(pieces: readonly string[], decode: (text: string) => string): [string, string][] {
  if (pieces.length % 2 === 1) throw new Error("a member has no value");
  return Array.from({ length: pieces.length / 2 }, (_, at): [string, string] => [
    decode(pieces[at * 2] ?? ""),
    decode(pieces[at * 2 + 1] ?? ""),
  ]);
}

/** True when the texts stand for the value; `null` within a value is not written (RFC 6570, 2.3). */
export function isReadingOf(decoded: Decoded, value: unknown): boolean {
  if (typeof decoded === "string") return isTextOf(decoded, value);
  if (decoded instanceof Map) return isRawObject(value) && hasMembers(decoded, value);
  if (!Array.isArray(decoded) || !Array.isArray(value)) return false;
  const items = value.filter((item) => item !== null);
  return items.length === decoded.length &&
    decoded.every((text, at) => isTextOf(text, items[at]));
}

function hasMembers(decoded: ReadonlyMap<string, string>, value: RawObject): boolean {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return members.length === decoded.size &&
    members.every(([name, member]) => isTextOf(decoded.get(name) ?? "\0", member));
}

/** True for a value that has no text in any style, so that nothing is sent. */
export function isUnwritten(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === null);
  return value === null ||
    isRawObject(value) && Object.values(value).every((member) => member === null);
}
