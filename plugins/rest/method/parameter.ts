/**
 * Parameters: where they travel and how they are written.
 *
 * @module
 */
import type { BodyForm } from "../body/body_form.ts";
import type { ApiDocument } from "../document/api_document.ts";
import { type JsonObject, textOf } from "../document/json.ts";
import { CONNECTION_HEADERS } from "../../../lib/protocol/mod.ts";
import { type Media, mediaOf } from "./media.ts";
import { inlineSchema } from "../document/older.ts";

/** Where a parameter travels. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** How a parameter's value is written (OpenAPI 3.2, "Style Values"); `tabDelimited` is Swagger 2's. */
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "cookie"
  | "spaceDelimited"
  | "pipeDelimited"
  | "tabDelimited"
  | "deepObject";

/** One parameter of a method. */
export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly required: boolean;
  /** Of a parameter with `content`, whose value is written by a media type. */
  readonly content: BodyForm | undefined;
  /** True when the value is the whole query (OpenAPI 3.2, `in: querystring`). */
  readonly isWholeQuery: boolean;
  readonly schema: unknown;
  /** The Parameter Object, for its description and examples. */
  readonly definition: JsonObject;
}

// Outside of queries only Swagger 2 has delimiters of choice.
const DELIMITED = ["spaceDelimited", "pipeDelimited", "tabDelimited"] as const;
/** The styles of each place; the first is what others are taken for. */
const STYLES: Readonly<
  Record<ParameterPlace, readonly [ParameterStyle, ...readonly ParameterStyle[]]>
> = {
  path: ["simple", "label", "matrix", ...DELIMITED],
  query: ["form", "deepObject", ...DELIMITED],
  header: ["simple", ...DELIMITED],
  cookie: ["form", "cookie"],
};

// "The parameter definition SHALL be ignored" (OpenAPI 3.1, Parameter Object).
const IGNORED_HEADERS = new Set(["accept", "authorization", "content-type", ...CONNECTION_HEADERS]);

/** Of a parameter that has none: it travels as text. */
export const PLAIN_SCHEMA = { type: "string" };

/** Reads a Parameter Object; `undefined` for one that is none or that must be ignored. */
export function toParameter(definition: JsonObject, document: ApiDocument): Parameter | undefined {
  const isWholeQuery = definition["in"] === "querystring";
  const place = isWholeQuery ? "query" : definition["in"];
  // The specification's own examples leave out the name of a whole query.
  const name = textOf(definition["name"]) ?? (isWholeQuery ? "querystring" : "");
  if (name.trim() === "" || !isPlace(place)) return undefined;
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const [media] = mediaOf(definition, document);
  return {
    name,
    place,
    ...(media === undefined ? styleOf(definition, place) : contentStyle(media, place)),
    required: place === "path" || definition["required"] === true,
    content: media === undefined ? undefined : {
      contentType: media.type,
      schema: media.schema,
      rules: media.rules,
      wholeName: name,
      document,
      isBinary: () => false,
    },
    isWholeQuery,
    schema: media === undefined
      ? definition["schema"] ?? inlineSchema(definition) ?? PLAIN_SCHEMA
      : media.schema,
    definition,
  };
}

type Style = Pick<Parameter, "style" | "explode" | "allowReserved">;

function styleOf(definition: JsonObject, place: ParameterPlace): Style {
  const [usual] = STYLES[place];
  const { style: written = usual, explode, allowReserved } = definition;
  return {
    style: STYLES[place].find((style) => style === written) ?? usual,
    explode: typeof explode === "boolean" ? explode : written === "form" || written === "cookie",
    allowReserved: allowReserved === true,
  };
}

function contentStyle({ type }: Media, place: ParameterPlace): Style {
  // Text is recommended for cookies that must not be percent-encoded (OpenAPI 3.1, Appendix D).
  const isVerbatim = place === "cookie" && type.startsWith("text/");
  const style = isVerbatim ? "cookie" : STYLES[place][0];
  return { style, explode: false, allowReserved: false };
}

function isPlace(value: unknown): value is ParameterPlace {
  return typeof value === "string" && Object.hasOwn(STYLES, value);
}

/** True for a style that is defined. */
export function isStyle(value: unknown): value is ParameterStyle {
  return Object.values(STYLES).flat().some((style) => style === value);
}
