/**
 * Bodies that are text: JSON and sequences of it, forms, XML, plain text.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import { toText } from "../request/parameters.ts";
import type { BodyForm } from "./body_form.ts";
import { writeForm } from "./form.ts";
import {
  isJsonSequence,
  isRecordSequence,
  isXml,
  parseContentType,
  URLENCODED,
} from "./media_type.ts";
import { writeXml } from "./xml.ts";

/**
 * Writes a value as text of the form's content type. A string is taken for text that is written
 * already, but not where it is a value of JSON.
 *
 * @throws {BowireError} `invalid_argument` when the value does not fit the type.
 */
export function writeText(value: unknown, form: BodyForm): string {
  const { type } = parseContentType(form.contentType);
  if (isJsonMediaType(type)) return JSON.stringify(value);
  if (typeof value === "string") return value;
  if (type === URLENCODED) return writeForm(value, form, writeText);
  if (isJsonSequence(type)) return writeSequence(value, isRecordSequence(type) ? "\x1e" : "");
  return isXml(type) ? writeXml(value, form) : toText(value);
}

/** One line a value; the separator stands before each (RFC 7464, 2.2). */
function writeSequence(value: unknown, separator: string): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map((item) => `${separator}${JSON.stringify(item)}\n`).join("");
}
