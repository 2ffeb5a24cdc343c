/**
 * Parameter values as text, by style and explode (OpenAPI 3.1, "Style Examples"; RFC 6570).
 *
 * @module
 */
import { isRawJson } from "../../../lib/schema/exact_json.ts";
import type { Parameter, ParameterStyle } from "../method/inputs.ts";
import { isObject } from "../document/json.ts";

/** What {@linkcode writeParameter} needs to know of a parameter. */
export type WrittenParameter = Pick<
  Parameter,
  "name" | "style" | "explode" | "allowReserved" | "place" | "isJson"
>;

interface StyleRow {
  readonly prefix: string;
  /** Between items when they share one name. */
  readonly joint: string;
  /** Between items when each stands alone. */
  readonly explodedJoint: string;
  /** Whether the parameter's name is written. */
  readonly isNamed: boolean;
}

const STYLES: Readonly<Record<ParameterStyle, StyleRow>> = {
  simple: { prefix: "", joint: ",", explodedJoint: ",", isNamed: false },
  label: { prefix: ".", joint: ",", explodedJoint: ".", isNamed: false },
  matrix: { prefix: ";", joint: ",", explodedJoint: ";", isNamed: true },
  form: { prefix: "", joint: ",", explodedJoint: "&", isNamed: true },
  spaceDelimited: { prefix: "", joint: "%20", explodedJoint: "&", isNamed: true },
  pipeDelimited: { prefix: "", joint: "%7C", explodedJoint: "&", isNamed: true },
  deepObject: { prefix: "", joint: "&", explodedJoint: "&", isNamed: true },
};

/**
 * Writes a value the way its parameter asks for. In a query an empty list or object is empty
 * text, which stands for nothing.
 */
export function writeParameter(parameter: WrittenParameter, value: unknown): string {
  const { style, explode } = parameter;
  const { prefix, joint, explodedJoint, isNamed } = STYLES[style];
  const encode = encoderOf(parameter);
  const name = encode(parameter.name);
  const pair = (key: string, text: string) =>
    style === "matrix" && text === "" ? key : `${key}=${text}`;
  const single = (text: string) => prefix + (isNamed ? pair(name, text) : text);

  if (parameter.isJson) return single(encode(JSON.stringify(value)));
  if (Array.isArray(value)) {
    const items = value.filter((item) => item !== null).map((item) => encode(toText(item)));
    if (items.length === 0) return "";
    if (!explode) return single(items.join(joint));
    return prefix + items.map((item) => isNamed ? pair(name, item) : item).join(explodedJoint);
  }
  if (isObject(value)) {
    if (style === "deepObject") return writeDeep(name, value, encode).join("&");
    const pairs = Object.entries(value).filter(([, item]) => item !== null)
      .map(([key, item]): [string, string] => [encode(key), encode(toText(item))]);
    if (pairs.length === 0) return "";
    if (!explode) return single(pairs.flat().join(joint));
    return prefix + pairs.map(([key, text]) => `${key}=${text}`).join(explodedJoint);
  }
  return single(encode(toText(value)));
}

/** `filter[range][from]=1`, as deep as the value goes; the style is defined for one level only. */
function writeDeep(name: string, value: unknown, encode: (text: string) => string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => writeDeep(name, item, encode));
  if (isObject(value)) {
    return Object.entries(value).flatMap(([key, item]) =>
      writeDeep(`${name}%5B${encode(key)}%5D`, item, encode)
    );
  }
  return value === null ? [] : [`${name}=${encode(toText(value))}`];
}

/** A value as plain text: numbers as they were written, structures as JSON. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return isRawJson(value) ? value.rawJSON : JSON.stringify(value);
}

function encoderOf({ place, allowReserved }: WrittenParameter): (text: string) => string {
  // Header values are not percent-encoded.
  if (place === "header") return (text) => text;
  return allowReserved && place === "query" ? encodeUnreserved : encodeText;
}

/** Percent-encodes all but the unreserved characters (RFC 3986, 2.3). */
export function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Leaves reserved characters alone, but not those that would end or split a query's value. */
function encodeUnreserved(text: string): string {
  return encodeText(text).replace(/%(?:2[14789AC]|3[ABF]|40|2F)/g, decodeURIComponent);
}
