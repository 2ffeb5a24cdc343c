/**
 * Bytes as arguments: base64 text, or an object that names a file or holds base64.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError } from "../../../lib/errors/mod.ts";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import { isObject, type JsonObject, textOf } from "../document/json.ts";
import { isBinary, type Shape } from "../../../lib/schema/shapes/shape.ts";
import { typeOfFile } from "./file_types.ts";
import { isBytesType, isContentType, isTextType } from "./media_type.ts";

/** Reads a file that the operator allowed. */
export type ReadFile = CallContext["readFile"];

/** Bytes and what is known of them. */
export interface Content {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Without folders. */
  readonly fileName?: string;
  /** As the caller names it. */
  readonly contentType?: string;
  /** Headers of the part that they become, when they become one. */
  readonly headers: JsonObject;
}

const SOURCES = ["file", "base64"];
const DETAILS = ["fileName", "contentType", "headers"];

/**
 * True for an object that stands for bytes: `{ "file" }` or `{ "base64" }`, with `fileName`,
 * `contentType` and `headers` (of the part) if wanted, where the schema has no use for an object.
 */
export function isContentObject(value: unknown, { types }: Shape): value is JsonObject {
  return !types.has("object") && looksLikeContent(value);
}

/** True for an object that stands for bytes if it is not a value of its own. */
export function looksLikeContent(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.filter((name) => SOURCES.includes(name)).length === 1 &&
    names.every((name) => SOURCES.includes(name) || DETAILS.includes(name));
}

/**
 * True when a value of this shape is bytes in this media type, whatever it looks like: bytes have a
 * type and no schema (OpenAPI 3.1, "Considerations for File Uploads").
 */
export function holdsBytes(shape: Shape, type: string): boolean {
  return isBinary(shape) || isBytesType(type) || shape.types.size === 0 && !isTextType(type);
}

/** The media type that a content object tells by itself or by its file's name. */
export function typeOfContent(value: JsonObject): string | undefined {
  const name = textOf(value["fileName"]) ?? textOf(value["file"]);
  return textOf(value["contentType"]) ?? (name === undefined ? undefined : typeOfFile(name));
}

/** The base64 alphabet that text of a shape is written in; `undefined` when it holds no bytes. */
export function alphabetOf(shape: Shape): "base64" | "base64url" | undefined {
  const { types, keywords } = shape;
  if (types.size > 1 || (types.size === 1 && !types.has("string"))) return undefined;
  const encoding = textOf(keywords["contentEncoding"])?.toLowerCase();
  if (encoding === "base64" || encoding === "base64url") return encoding;
  return keywords["format"] === "byte" || isBinary(shape) ? "base64" : undefined;
}

/** Bytes as text; padded in both alphabets, as the examples of OpenAPI 3.1 are. */
export function toBase64({ bytes }: Content, alphabet: "base64" | "base64url"): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  return alphabet === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_");
}

/**
 * Reads the bytes that an argument stands for.
 *
 * @param what the argument, for messages.
 * @throws {BowireError} `invalid_argument` when it stands for none, `file_failed`.
 */
export async function readContent(
  value: unknown,
  what: string,
  readFile: ReadFile,
): Promise<Content> {
  if (typeof value === "string") return { headers: {}, ...decodeText(value, what) };
  if (!isObject(value)) throw refusal(what);
  const { file, base64, fileName, contentType, headers = {}, ...others } = value;
  const isWellFormed = Object.keys(others).length === 0 && isObject(headers) &&
    [fileName, contentType].every((detail) => detail === undefined || typeof detail === "string");
  if (!isWellFormed) throw refusal(what);
  if (typeof contentType === "string" && !isContentType(contentType)) {
    throw new BowireError(
      "invalid_argument",
      `cannot send ${what}: its "contentType" is no media type`,
      {
        hint: 'write it as in "image/png"',
      },
    );
  }
  const details = {
    ...(typeof fileName === "string" ? { fileName } : {}),
    ...(typeof contentType === "string" ? { contentType } : {}),
    headers,
  };
  if (typeof file === "string" && base64 === undefined) {
    const { name, bytes } = await readFile(file);
    return { bytes, fileName: name, ...details };
  }
  if (typeof base64 === "string" && file === undefined) {
    return { ...decodeText(base64, what), ...details };
  }
  throw refusal(what);
}

/** Base64 in either alphabet, or a `data:` URL (RFC 2397). */
function decodeText(text: string, what: string): { bytes: Bytes; contentType?: string } {
  const [, type, data] = /^\s*data:([^,]*),(.*)$/is.exec(text) ?? [];
  if (type === undefined || data === undefined) return { bytes: decodeBase64(text, what) };
  const contentType = type.replace(/;\s*base64\s*$/i, "");
  const bytes = percentDecode(data);
  return {
    bytes: contentType === type ? bytes : decodeBase64(bytes.toString("latin1"), what),
    ...(isContentType(contentType) ? { contentType } : {}),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

function decodeBase64(text: string, what: string): Bytes {
  const digits = text.replace(/\s+/g, "");
  const length = digits.replace(/={1,2}$/, "").length;
  // One digit more than whole groups of four is less than a byte; padding fills up a group.
  const isWhole = length % 4 !== 1 && (length === digits.length || digits.length % 4 === 0);
  if (!isWhole || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(digits)) throw refusal(what);
  return new Uint8Array(Buffer.from(digits, "base64"));
}

function percentDecode(text: string): Buffer<ArrayBuffer> {
  const ascii = encodeURI(text.toWellFormed()).replaceAll("%25", "%");
  return Buffer.from(
    ascii.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );
}

function refusal(what: string): BowireError {
  return new BowireError(
    "invalid_argument",
    `cannot send ${what}: it takes bytes as base64 text, or an object with "file" or "base64"`,
    {
      hint: 'for instance {"file": "path in an allowed folder"}; ' +
        '"fileName", "contentType" and "headers" may stand beside it',
    },
  );
}
