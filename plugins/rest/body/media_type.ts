/**
 * Media types: how one is read, and what kind of content it stands for.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";

/** A `Content-Type`, read (RFC 9110, 8.3.1). */
export interface ContentType {
  /** Lower case, without parameters. */
  readonly type: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Form without files. */
export const URLENCODED = "application/x-www-form-urlencoded";
/** Form with files. */
export const MULTIPART = "multipart/form-data";
/** What bytes are when nothing more is known. */
export const OCTETS = "application/octet-stream";

const PARAMETER = /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g;
/** Archives, documents and binary encodings of data. */
const BINARY_FORMATS =
  /^application\/(octet-stream|pdf|zip|(x-)?gzip|zstd|wasm|dicom|(x-)?tar|x-(7z|zip)-compressed|(x-|vnd\.)?msgpack|(x-|vnd\.google\.)?protobuf|x-(json|jackson)-smile|(x-)?avro|cbor|vnd\.(ms-excel|openxmlformats-officedocument\..*))$|\+(cbor|zip|gzip)$/;
/** Text by other names than `text/…`. */
const TEXT =
  /^application\/(x-)?(yaml|toml|graphql|javascript|ecmascript|sql|sh|www-form-urlencoded)$|\+yaml$/;

/** Reads the value of a `Content-Type` header. */
export function parseContentType(text: string): ContentType {
  const [type = ""] = text.split(";", 1);
  const parameters = Array.from(
    text.slice(type.length).matchAll(PARAMETER),
    ([, name = "", quoted, token = ""]): [string, string] => [
      name.toLowerCase(),
      quoted?.replace(/\\(.)/g, "$1") ?? token,
    ],
  );
  return { type: type.trim().toLowerCase(), parameters: new Map(parameters) };
}

/** Writes the value of a `Content-Type` header. */
export function formatContentType({ type, parameters }: ContentType): string {
  const written = [...parameters].map(([name, value]) =>
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(value)
      ? `${name}=${value}`
      : `${name}="${value.replace(/["\\]/g, "\\$&")}"`
  );
  return [type, ...written].join("; ");
}

/** True for the value of a `Content-Type` header that names one type. */
export function isContentType(text: string): boolean {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+\s*(;[\t\x20-\x7e]*)?$/.test(text);
}

/** True for `image/*`, `application/*+xml` and wider, for which a caller may name a type within. */
export function isRange(type: string): boolean {
  return type.includes("*");
}

/** True when a type is the one that is offered, or within the range that is. */
export function isWithin(type: string, offered: string): boolean {
  const start = offered.slice(0, offered.indexOf("*"));
  const end = offered.slice(offered.lastIndexOf("*") + 1);
  return offered === type || isRange(offered) && type.startsWith(start) && type.endsWith(end);
}

/** A type within a range, for a value that is not bytes. */
export function firstWithin(range: string): string {
  if (range.startsWith("text/")) return "text/plain";
  if (range.startsWith("multipart/")) return MULTIPART;
  if (isXml(range)) return "application/xml";
  const isJson = isJsonMediaType(range) || range === "*/*" || range === "application/*";
  return isJson ? "application/json" : OCTETS;
}

/** True for JSON values one after another (JSON Lines; RFC 7464; RFC 8091 for the suffix). */
export function isJsonSequence(type: string): boolean {
  return /^application\/(x-)?(ndjson|jsonl|jsonlines)$/.test(type) || isRecordSequence(type);
}

/** True when each value of a sequence begins with a record separator (RFC 7464). */
export function isRecordSequence(type: string): boolean {
  return /^application\/json-seq$|\+json-seq$/.test(type);
}

/** True for XML (RFC 7303). */
export function isXml(type: string): boolean {
  return /^(application|text)\/xml$|\+xml$/.test(type);
}

/** True for a `Content-Type` of a form with files, whatever its parameters. */
export function isFormData(contentType: string): boolean {
  return parseContentType(contentType).type === MULTIPART;
}

/** True for a body in parts (RFC 2046, 5.1). */
export function isMultipart(type: string): boolean {
  return type.startsWith("multipart/");
}

/** True for types whose content is never text, whatever a schema says. */
export function isBytesType(type: string): boolean {
  return /^(image|audio|video|font)\/(?!svg)/.test(type) || BINARY_FORMATS.test(type);
}

/** True for types whose content is text or made of text, without a look at the schema. */
export function isTextType(type: string): boolean {
  return type.startsWith("text/") || isJsonMediaType(type) || isJsonSequence(type) ||
    isXml(type) || isMultipart(type) || TEXT.test(type);
}
