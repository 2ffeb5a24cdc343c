/**
 * Parameter values as text, by style and explode (OpenAPI 3.2, "Style Examples"; RFC 6570).
 *
 * @module
 */
import { isRawJson } from "../../../lib/schema/exact_json.ts";
import { isObject } from "../document/json.ts";
import type { Parameter, ParameterStyle } from "../method/parameter.ts";
import { checkCookieText, encodeReserved, encodeText } from "./encode.ts";

/** What {@linkcode writeParameter} needs to know of a parameter. */
export interface WrittenParameter
  extends Pick<Parameter, "name" | "style" | "explode" | "allowReserved" | "place"> {
  /** True when the value travels as JSON text. */
  readonly isJson?: boolean;
}

interface StyleRow {
  readonly prefix: string;
  /** Between items when they share one name; as it is written in a URL. */
  readonly joint: string;
  /** Between items when each stands alone. */
  readonly explodedJoint: string;
}

const STYLES: Readonly<Record<ParameterStyle, StyleRow>> = {
  simple: { prefix: "", joint: ",", explodedJoint: "," },
  label: { prefix: ".", joint: ",", explodedJoint: "." },
  matrix: { prefix: ";", joint: ",", explodedJoint: ";" },
  form: { prefix: "", joint: ",", explodedJoint: "&" },
  cookie: { prefix: "", joint: ",", explodedJoint: "&" },
  spaceDelimited: { prefix: "", joint: "%20", explodedJoint: "&" },
  pipeDelimited: { prefix: "", joint: "%7C", explodedJoint: "&" },
  tabDelimited: { prefix: "", joint: "%09", explodedJoint: "&" },
  deepObject: { prefix: "", joint: "&", explodedJoint: "&" },
};

/**
 * Writes a value the way its parameter asks for. An empty list or object is empty text, which
 * stands for nothing (RFC 6570, 2.3).
 *
 * @throws {BowireError} `invalid_argument` when a cookie cannot carry the value.
 */
export function writeParameter(parameter: WrittenParameter, value: unknown): string {
  const { style, explode, place } = parameter;
  const given = parameter.isJson === true ? JSON.stringify(value) : value;
  const { prefix } = STYLES[style];
  const joint = jointOf(parameter);
  const isList = Array.isArray(given) || isObject(given);
  const { encodeName, encode } = encodersOf(parameter, isList ? prefix + joint : prefix);
  const name = encodeName(parameter.name);
  const isNamed = style === "matrix" || place === "query" || place === "cookie";
  const pair = (key: string, text: string) =>
    style === "matrix" && text === "" ? key : `${key}=${text}`;
  const single = (text: string) => prefix + (isNamed ? pair(name, text) : text);

  if (style === "deepObject" && isList) return writeDeep(name, given, encode).join(joint);
  if (Array.isArray(given)) {
    const items = given.filter((item) => item !== null).map((item) => encode(toText(item)));
    if (items.length === 0) return "";
    if (!explode) return single(items.join(joint));
    return prefix + items.map((item) => isNamed ? pair(name, item) : item).join(joint);
  }
  if (isObject(given)) {
    const pairs = Object.entries(given).filter(([, item]) => item !== null)
      .map(([key, item]): [string, string] => [encodeName(key), encode(toText(item))]);
    if (pairs.length === 0) return "";
    if (!explode) return single(pairs.flat().join(joint));
    return prefix + pairs.map(([key, text]) => pair(key, text)).join(joint);
  }
  return single(encode(toText(given)));
}

/**
 * `filter[range][from]=1`, as deep as the value goes. The style is defined for one level only; items
 * of lists go by their positions, as in `expand[0]=a`, which most servers that read brackets take.
 */
function writeDeep(name: string, value: unknown, encode: (text: string) => string): string[] {
  if (value === null) return [];
  if (!Array.isArray(value) && !isObject(value)) return [`${name}=${encode(toText(value))}`];
  const members = Array.isArray(value) ? value.filter((item) => item !== null) : value;
  return Object.entries(members).flatMap(([key, item]) =>
    writeDeep(`${name}%5B${encodeText(key)}%5D`, item, encode)
  );
}

/** A value as plain text: numbers as they were written, structures as JSON. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  return isRawJson(value) ? value.rawJSON : JSON.stringify(value);
}

function jointOf({ style, explode, place }: WrittenParameter): string {
  const { joint, explodedJoint } = STYLES[style];
  // Only URLs are percent-encoded, and cookies are never joined by "&" (OpenAPI 3.2, Appendix D).
  if (place === "header") return decodeURIComponent(explode ? explodedJoint : joint);
  if (!explode) return joint;
  return place === "cookie" ? "; " : explodedJoint;
}

/** How names and values are written between such delimiters. */
function encodersOf(
  { name, style, place, allowReserved }: WrittenParameter,
  delimiters: string,
): Record<"encodeName" | "encode", (text: string) => string> {
  const verbatim = (text: string) => style === "cookie" ? checkCookieText(name, text) : text;
  // "URI percent-encoding MUST NOT be applied" (OpenAPI 3.2, Parameter Object).
  if (place === "header" || style === "cookie") return { encodeName: verbatim, encode: verbatim };
  const encode = allowReserved
    ? (text: string) => encodeReserved(text, { place, delimiters })
    : encodeText;
  return { encodeName: encodeText, encode };
}
