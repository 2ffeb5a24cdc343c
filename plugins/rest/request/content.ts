/**
 * A method's arguments as text of their places: by style, or by the media type that a parameter's
 * `content` names.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { hasStyle, writeStyled } from "../body/form.ts";
import { isObject } from "../document/json.ts";
import { URLENCODED } from "../method/body_plan.ts";
import type { Media, Parameter } from "../method/inputs.ts";
import { encodeReserved, encodeText } from "./encode.ts";
import { toText, writeParameter } from "./parameters.ts";

/**
 * Writes an argument for its place: with its name in queries and cookies, without in paths and
 * headers.
 *
 * @returns `undefined` for a list or object without items, which stands for nothing.
 * @throws {BowireError} `invalid_argument` when its media type or its place cannot carry the value.
 */
export function writeArgument(parameter: Parameter, value: unknown): string | undefined {
  const { media } = parameter;
  const text = media === undefined
    ? writeParameter(parameter, value)
    : writeContent(parameter, media, value);
  return text === "" && value !== "" ? undefined : text;
}

function writeContent(parameter: Parameter, media: Media, value: unknown): string {
  // A text is taken for content that is written already: many authors who name a JSON type mean
  // plain text by it, and with that a caller can send either.
  const isForm = media.type === URLENCODED && typeof value !== "string";
  const text = isForm ? writeForm(parameter, media, value) : toText(value);
  if (parameter.isWholeQuery) return writeWholeQuery(media, text);
  // JSON can spell what no header can carry.
  if (parameter.place === "header" && typeof value !== "string") return escapeJson(text);
  return writeParameter(parameter, text);
}

/** Spaces are `+`, as in OpenAPI 3.2's example of a whole query. */
function writeForm({ name }: Parameter, { encoding }: Media, value: unknown): string {
  if (!isObject(value)) {
    throw new BowireError(
      "invalid_argument",
      `cannot send ${JSON.stringify(name)} as a form: it is not an object`,
    );
  }
  return Object.entries(value).filter(([, field]) => field !== null).map(([key, field]) => {
    const rule = encoding[key];
    if (isObject(rule) && hasStyle(rule)) return writeStyled(key, field, rule);
    const items = Array.isArray(field) ? field : [field];
    const pairs = items.filter((item) => item !== null).map((item) => [key, toText(item)]);
    return new URLSearchParams(pairs).toString();
  }).filter((pair) => pair !== "").join("&");
}

/** The query that is one value (OpenAPI 3.2, `in: querystring`). */
function writeWholeQuery({ type }: Media, text: string): string {
  if (type === URLENCODED) return text;
  // Plain text is a query in a format of its own, whose "&" and "=" are meant.
  return type === "text/plain"
    ? encodeReserved(text, { place: "wholeQuery", delimiters: "" })
    : encodeText(text);
}

function escapeJson(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
