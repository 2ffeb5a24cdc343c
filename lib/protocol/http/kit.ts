/**
 * What every protocol over HTTP needs: headers as metadata, bodies as text or base64.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { VERSION } from "../../version.ts";
import type { HttpAnswer } from "./exchange.ts";

/** Sent as `User-Agent` unless the caller names another. */
export const USER_AGENT = `bowire/${VERSION}`;

/** An answer's headers by lower-case name; repeated ones joined with `, ` (RFC 9110, 5.3). */
export function headersToRecord(answer: HttpAnswer): Record<string, string> {
  const record = new Map<string, string>();
  for (const [name, value] of answer.headers) {
    const known = record.get(name);
    record.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return Object.fromEntries(record);
}

/** An answer's media type in lower case and its charset, both empty when not given. */
export function contentTypeOf(answer: HttpAnswer): { mediaType: string; charset: string } {
  const value = answer.headers.find(([name]) => name === "content-type")?.[1] ?? "";
  const [mediaType = "", ...parameters] = value.split(";").map((part) => part.trim());
  const charset = parameters.find((part) => /^charset=/i.test(part))?.slice("charset=".length) ??
    "";
  return { mediaType: mediaType.toLowerCase(), charset: charset.replace(/^"(.*)"$/, "$1") };
}

/** True for media types of one JSON value, `+json` included (RFC 6839). */
export function isJsonMediaType(mediaType: string): boolean {
  return /^(application|text)\/json$|\+json$/.test(mediaType);
}

/**
 * An answer's body as text by its charset, or as base64 when its type says that it is not text,
 * or its bytes are not valid in that charset.
 */
export function decodeBody(answer: HttpAnswer): { text: string | null; base64?: string } {
  if (answer.body.byteLength === 0) return { text: null };
  const { mediaType, charset } = contentTypeOf(answer);
  if (!isBinaryMediaType(mediaType)) {
    try {
      return {
        text: new TextDecoder(labelOf(charset, answer.body), { fatal: true }).decode(answer.body),
      };
    } catch { /* not text after all, or a charset nobody knows: the bytes are kept */ }
  }
  return { text: null, base64: Buffer.from(answer.body).toString("base64") };
}

/** The encoding to decode by; big-endian UTF-16 is told by its byte order mark alone (RFC 2781). */
function labelOf(charset: string, body: Uint8Array): string {
  const isBigEndian = /^utf-?16$/i.test(charset) && body[0] === 0xfe && body[1] === 0xff;
  if (isBigEndian) return "utf-16be";
  return charset === "" ? "utf-8" : charset;
}

function isBinaryMediaType(mediaType: string): boolean {
  return /^(image|audio|video|font)\//.test(mediaType) && mediaType !== "image/svg+xml" ||
    /^application\/(octet-stream|pdf|zip|gzip|x-protobuf|protobuf|wasm)$/.test(mediaType);
}
