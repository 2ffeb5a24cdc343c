/**
 * Reads a sent body back by its own `Content-Type`.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { SentRequest } from "../gateway.ts";
import type { RawMedia } from "./inputs.ts";
import { isRawObject, objectAt, type RawObject } from "./raw.ts";
import { Pairs } from "./query.ts";
import { isSame, isTextOf, parseExact } from "./values.ts";
import { parseXml } from "./xml.ts";
import { XmlReader } from "./xml_body.ts";

/** A body, its content type known. */
export interface SentBody {
  /** Lower case, without parameters. */
  readonly type: string;
  readonly response: Response;
}

const URLENCODED = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

/** Lower case and without parameters. */
export function bareType(contentType: string): string {
  return contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** The body of a request with the content type under which it goes out; `undefined` without one. */
export function bodyOf({ body, headers }: SentRequest): SentBody | undefined {
  if (body === undefined) return undefined;
  const given = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const response = new Response(
    body,
    given === undefined ? {} : { headers: { "content-type": given } },
  );
  return { type: bareType(response.headers.get("content-type") ?? ""), response };
}

/** The form of the body that the document offers under a type. */
export function offeredAs(media: readonly RawMedia[], type: string): RawMedia | undefined {
  return media.find((one) => bareType(one.type) === type) ??
    media.find((one) => {
      const range = bareType(one.type);
      return range.endsWith("*") && type.startsWith(range.slice(0, range.indexOf("*")));
    });
}

/**
 * Compares a body with the value that should be in it.
 *
 * @returns what is wrong, `undefined` when nothing is.
 */
export async function compareBody(
  { type, response }: SentBody,
  media: RawMedia,
  { root, value }: { root: RawObject; value: unknown },
): Promise<string | undefined> {
  if (isJson(type)) {
    return isSame(parseExact(await response.text()), value) ? undefined : "JSON: another value";
  }
  if (/(?:ndjson|jsonl|jsonlines)$/.test(type) && Array.isArray(value)) {
    return isSame(linesOf(await response.text()), value) ? undefined : "JSON lines: another value";
  }
  if (type === URLENCODED && isRawObject(value)) {
    return comparePairs(await response.text(), media, value);
  }
  if (type === MULTIPART && isRawObject(value)) {
    return await compareParts(await response.formData(), media, value);
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  if (isXml(type) && typeof value !== "string") {
    const element = parseXml(bytes.toString("utf8"));
    const reader = new XmlReader(root);
    if (reader.isRootOf(element, value, media.schema)) return undefined;
    return reader.isAmbiguous(value, media.schema)
      ? "XML: lists with the same element name"
      : "XML: another value";
  }
  if (isTextOf(bytes.toString("utf8"), value)) return undefined;
  return isBase64Of(bytes, value) ? undefined : "text or bytes: another value";
}

/** Names of a body's members, none when it is nothing that has any. */
export async function memberNames({ type, response }: SentBody): Promise<string[]> {
  try {
    if (isForm(type)) return [...(await response.clone().formData()).keys()];
    const text = await response.clone().text();
    if (!isXml(type)) return Object.keys(objectAt(JSON.parse(text)));
    const { attributes, children } = parseXml(text);
    return [...attributes.keys(), ...children.map(({ name }) => name)];
  } catch {
    return [];
  }
}

function isForm(type: string): boolean {
  return type === URLENCODED || type === MULTIPART;
}

/** True for JSON and types built on it. */
export function isJson(type: string): boolean {
  return /[/+]json$/.test(type);
}

function linesOf(text: string): unknown[] {
  return text.split("\n").filter((line) => line !== "").map(parseExact);
}

function isXml(type: string): boolean {
  return /[/+]xml$/.test(type);
}

function comparePairs(
  text: string,
  { encoding }: RawMedia,
  value: RawObject,
): string | undefined {
  const decode = (piece: string) => decodeURIComponent(piece.replaceAll("+", "%20"));
  const pairs = new Pairs(text, { separator: "&", decode });
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const rule = encoding[name];
    const style = isRawObject(rule) ? rule["style"] : undefined;
    const explode = isRawObject(rule) ? rule["explode"] : undefined;
    // Without a style an object is JSON (OpenAPI 3.0.3, Encoding Object, contentType).
    const isWhole = isRawObject(member) && style === undefined && explode === undefined;
    const isRight = pairs.take({
      name,
      value: member,
      isJson: isWhole,
      style: typeof style === "string" ? style : "form",
      explode: typeof explode === "boolean" ? explode : style === undefined || style === "form",
    });
    if (!isRight) return `form: another value of a field`;
  }
  return pairs.left.length === 0 ? undefined : "form: a field that nobody gave";
}

async function compareParts(
  data: FormData,
  media: RawMedia,
  value: RawObject,
): Promise<string | undefined> {
  const isStyled = Object.values(media.encoding).some((rule) =>
    objectAt(rule)["style"] !== undefined
  );
  const texts = [...data].filter((entry): entry is [string, string] =>
    typeof entry[1] === "string"
  );
  if (isStyled && texts.length === [...data].length) {
    return comparePairs(new URLSearchParams(texts).toString(), media, value);
  }
  const names = new Set(data.keys());
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const items = Array.isArray(member) ? member : [member];
    const parts = data.getAll(name);
    names.delete(name);
    const whole = parts.length === 1 ? parts[0] : undefined;
    if (whole !== undefined && await isPartOf(whole, member)) continue;
    if (parts.length !== items.length) return "multipart: another number of parts";
    for (const [at, part] of parts.entries()) {
      if (!await isPartOf(part, items[at])) return "multipart: another value of a part";
    }
  }
  return names.size === 0 ? undefined : "multipart: a part that nobody gave";
}

async function isPartOf(part: FormDataEntryValue, value: unknown): Promise<boolean> {
  if (typeof part === "string") return isTextOf(part, value);
  const bytes = Buffer.from(await part.arrayBuffer());
  return isBase64Of(bytes, value) || isTextOf(bytes.toString("utf8"), value);
}

function isBase64Of(bytes: Buffer, value: unknown): boolean {
  return typeof value === "string" && Buffer.from(value, "base64").equals(bytes);
}
