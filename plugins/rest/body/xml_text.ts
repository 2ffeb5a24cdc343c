/**
 * Names and characters of XML 1.0.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";

const NAME_START = "A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff" +
  "\\u200c\\u200d\\u2070-\\u218f\\u2c00-\\u2fef\\u3001-\\ud7ff\\uf900-\\ufdcf\\ufdf0-\\ufffd" +
  "\\u{10000}-\\u{effff}";
const LOCAL_NAME = `[${NAME_START}][${NAME_START}\\-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040]*`;
/** A name with or without a prefix (XML Namespaces 1.0, 4). */
const NAME = new RegExp(`^(?:${LOCAL_NAME}:)?${LOCAL_NAME}$`, "u");
/** What no document can hold, escaped or not (XML 1.0, 2.2). */
const FORBIDDEN = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/**
 * The name itself.
 *
 * @throws {BowireError} `invalid_argument` when it is no name of an element or attribute.
 */
export function checkName(name: string): string {
  if (NAME.test(name)) return name;
  const shown = JSON.stringify(cleanLine(name, 80));
  throw refusal(`${shown} is no name of an XML element or attribute`);
}

/** Text of an element. A carriage return would be read as a line feed (XML 1.0, 2.11). */
export function escapeText(text: string, name: string): string {
  return checkText(text, name).replace(/[&<>]/g, (char) => ESCAPES[char] ?? "")
    .replaceAll("\r", "&#13;");
}

/** Text of an attribute, whose line breaks and tabs would be read as spaces (XML 1.0, 3.3.3). */
export function escapeAttribute(text: string, name: string): string {
  return escapeText(text, name).replaceAll('"', "&quot;")
    .replace(/[\t\n]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A CDATA section, or several when the text has the end of one. */
export function writeCdata(text: string, name: string): string {
  return `<![CDATA[${checkText(text, name).replaceAll("]]>", "]]]]><![CDATA[>")}]]>`;
}

function checkText(text: string, name: string): string {
  const [char] = FORBIDDEN.exec(text) ?? [];
  if (char === undefined) return text;
  const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  throw refusal(
    `"${cleanLine(name, 80)}" has the character U+${code}, which XML has no way to write`,
  );
}

/** An error of a value that XML cannot carry. */
export function refusal(reason: string): BowireError {
  return new BowireError("invalid_argument", `cannot write the body as XML: ${reason}`, {
    hint: "give the body as XML text, which is sent as it is",
  });
}
