/**
 * A method's arguments as text of their places: by style, or by the media type that a parameter's
 * `content` names.
 *
 * @module
 */
import { isJsonMediaType } from "../../../lib/protocol/mod.ts";
import type { BodyForm } from "../body/body_form.ts";
import { URLENCODED } from "../body/media_type.ts";
import { writeText } from "../body/text.ts";
import type { Parameter } from "../method/parameter.ts";
import { encodeReserved, encodeText } from "./encode.ts";
import { writeParameter } from "./parameters.ts";

/**
 * Writes an argument for its place: with its name in queries and cookies, without in paths and
 * headers.
 *
 * @returns `undefined` for a list or object without items, which stands for nothing.
 * @throws {BowireError} `invalid_argument` when its media type or its place cannot carry the value.
 */
export function writeArgument(parameter: Parameter, value: unknown): string | undefined {
  const { content } = parameter;
  const text = content === undefined
    ? writeParameter(parameter, value)
    : writeContent(parameter, content, value);
  return text === "" && value !== "" ? undefined : text;
}

function writeContent(parameter: Parameter, content: BodyForm, value: unknown): string {
  // A string is sent as it is also where the type is JSON: nearly all authors of such parameters
  // mean plain text, and the others can be given JSON text.
  const text = typeof value === "string" ? value : writeText(value, content);
  if (parameter.isWholeQuery) return writeWholeQuery(content, text);
  // JSON can spell what no header can carry.
  const isJson = text !== value && isJsonMediaType(content.contentType);
  return writeParameter(
    parameter,
    isJson && parameter.place === "header" ? escapeJson(text) : text,
  );
}

/** The query that is one value (OpenAPI 3.2, `in: querystring`). */
function writeWholeQuery({ contentType }: BodyForm, text: string): string {
  if (contentType === URLENCODED) return text;
  // Plain text is a query in a format of its own, whose "&" and "=" are meant.
  return contentType === "text/plain"
    ? encodeReserved(text, { place: "wholeQuery", delimiters: "" })
    : encodeText(text);
}

function escapeJson(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
