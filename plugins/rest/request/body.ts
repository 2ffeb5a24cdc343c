/**
 * A body's value as the bytes, text or form of its media type.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { BowireError } from "../../../lib/errors/mod.ts";
import { type HttpRequest, isJsonMediaType } from "../../../lib/protocol/mod.ts";
import { MULTIPART, URLENCODED } from "../method/body_plan.ts";
import { isStyle } from "../method/inputs.ts";
import { isObject, type JsonObject } from "../document/json.ts";
import { toText, writeParameter } from "./parameters.ts";

/** What a body is made by. */
export interface BodyForm {
  /** Media type without parameters, lower case. */
  readonly contentType: string;
  /** Encoding Objects by property name. */
  readonly encoding: JsonObject;
  /** Whether the body, or one property of it, is bytes given as base64. */
  isBinary(property?: string): boolean;
}

/** A request's body; FormData brings its own `Content-Type`. */
export type HttpBody = NonNullable<HttpRequest["body"]>;

/**
 * Encodes a value for a media type.
 *
 * @throws {BowireError} `invalid_argument` when the value does not fit the type.
 */
export function encodeBody(value: unknown, form: BodyForm): HttpBody {
  if (isJsonMediaType(form.contentType)) return JSON.stringify(value);
  // A text is taken for a form that is written already.
  if (form.contentType === URLENCODED && typeof value !== "string") {
    return encodePairs(fieldsOf(value, form), form);
  }
  if (form.contentType === MULTIPART) return encodeParts(fieldsOf(value, form), form);
  return form.isBinary() ? decodeBase64(value, "the body") : toText(value);
}

function fieldsOf(value: unknown, { contentType }: BodyForm): [string, unknown][] {
  if (isObject(value)) return Object.entries(value).filter(([, field]) => field !== null);
  throw new BowireError(
    "invalid_argument",
    `cannot send the body as ${contentType}: it is not an object`,
  );
}

/** Structures are JSON text unless the document gives them a style (OpenAPI 3.1, Encoding Object). */
function encodePairs(fields: readonly [string, unknown][], { encoding }: BodyForm): string {
  return fields.map(([name, value]) => {
    const rule = encoding[name];
    const { style, explode } = isObject(rule) ? rule : {};
    return writeParameter({
      name,
      place: "query",
      style: isStyle(style) ? style : "form",
      explode: typeof explode === "boolean" ? explode : style === undefined || style === "form",
      allowReserved: false,
      isJson: isObject(value) && style === undefined && explode === undefined,
    }, value);
  }).filter((pair) => pair !== "").join("&");
}

function encodeParts(fields: readonly [string, unknown][], form: BodyForm): FormData {
  const data = new FormData();
  for (const [name, value] of fields) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (form.isBinary(name)) {
        data.append(name, new Blob([decodeBase64(item, `"${name}"`)]), name);
      } else data.append(name, toText(item));
    }
  }
  return data;
}

function decodeBase64(value: unknown, what: string): Uint8Array<ArrayBuffer> {
  const text = typeof value === "string" ? value.replace(/\s+/g, "") : undefined;
  if (text === undefined || !/^[A-Za-z0-9+/_-]*={0,2}$/.test(text)) {
    throw new BowireError("invalid_argument", `cannot send ${what}: it takes bytes as base64 text`);
  }
  return new Uint8Array(Buffer.from(text, "base64"));
}
