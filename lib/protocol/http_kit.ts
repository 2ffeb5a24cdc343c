/**
 * What every protocol over HTTP needs: headers as metadata, bodies as text or base64.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { VERSION } from "../version.ts";
import type { HttpAnswer } from "./exchange.ts";

/** Sent as `User-Agent` unless the caller names another. */
export const USER_AGENT = `bowire/${VERSION}`;

/** An answer's headers by lower-case name; repeated ones joined with `, ` (RFC 9110, 5.3). */
export function headersToRecord(answer: HttpAnswer): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of answer.headers) {
    record[name] = record[name] === undefined ? value : `${record[name]}, ${value}`;
  }
  return record;
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
        text: new TextDecoder(charset === "" ? "utf-8" : charset, { fatal: true }).decode(
          answer.body,
        ),
      };
    } catch { /* not text after all, or a charset nobody knows: the bytes are kept */ }
  }
  return { text: null, base64: Buffer.from(answer.body).toString("base64") };
}

function isBinaryMediaType(mediaType: string): boolean {
  return /^(image|audio|video|font)\//.test(mediaType) && mediaType !== "image/svg+xml" ||
    /^application\/(octet-stream|pdf|zip|gzip|x-protobuf|protobuf|wasm)$/.test(mediaType);
}
