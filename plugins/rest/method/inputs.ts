/**
 * What a method takes: its parameters and its body.
 *
 * @module
 */
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import { CONNECTION_HEADERS } from "../request/metadata.ts";
import type { MethodEntry } from "./methods.ts";
import { splitTemplate, variablesOf } from "./path_template.ts";

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
  /** Of a parameter with `content`, which is written by its media type. */
  readonly media: Media | undefined;
  /** True when the value is the whole query (OpenAPI 3.2, `in: querystring`). */
  readonly isWholeQuery: boolean;
  readonly schema: unknown;
  /** The Parameter Object, for its description and examples. */
  readonly definition: JsonObject;
}

/** One form that a body or a parameter may have. */
export interface Media {
  /** Lower case, without parameters; may be a range such as `image/*`. */
  readonly type: string;
  readonly schema: unknown;
  /** The Encoding Objects by property name. */
  readonly encoding: JsonObject;
}

/** The body of a method. */
export interface Body {
  readonly required: boolean;
  /** At least one. */
  readonly media: readonly Media[];
  readonly description: unknown;
}

/** All that a method takes. */
export interface Inputs {
  readonly parameters: readonly Parameter[];
  readonly body: Body | undefined;
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
const PLAIN_SCHEMA = { type: "string" };

/** Reads a method's parameters and body. */
export function inputsOf(entry: MethodEntry, document: ApiDocument): Inputs {
  const parameters = new Map<string, Parameter>();
  const bodies: JsonObject[] = [];
  // The method's own come second, so that they override those of the path by name and place.
  for (const list of [entry.pathItem["parameters"], entry.operation["parameters"]]) {
    for (const node of listOf(list)) {
      const definition = document.references.resolve(node)?.value;
      if (definition === undefined) continue;
      // A Swagger 2 reference to a body parameter is one to a request body after the upgrade.
      if (isObject(definition["content"]) && definition["in"] === undefined) {
        bodies.push(definition);
        continue;
      }
      const parameter = toParameter(definition, document);
      if (parameter !== undefined) {
        parameters.set(`${parameter.place} ${parameter.name}`, parameter);
      }
    }
  }
  const own = document.references.resolve(entry.operation["requestBody"])?.value;
  return {
    parameters: fitToPath([...parameters.values()], entry.path, document),
    body: toBody(own === undefined ? bodies : [own, ...bodies], entry.verb, document),
  };
}

function toParameter(definition: JsonObject, document: ApiDocument): Parameter | undefined {
  const isWholeQuery = definition["in"] === "querystring";
  const place = isWholeQuery ? "query" : definition["in"];
  // The specification's own examples leave out the name of a whole query.
  const name = textOf(definition["name"]) ?? (isWholeQuery ? "querystring" : "");
  if (name.trim() === "" || !isPlace(place)) return undefined;
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const media = mediaOf(definition, document)[0];
  return {
    name,
    place,
    ...formOf(definition, place, media),
    required: place === "path" || definition["required"] === true,
    media,
    isWholeQuery,
    schema: media === undefined ? definition["schema"] ?? PLAIN_SCHEMA : media.schema,
    definition,
  };
}

function formOf(
  definition: JsonObject,
  place: ParameterPlace,
  media: Media | undefined,
): Pick<Parameter, "style" | "explode" | "allowReserved"> {
  const [usual] = STYLES[place];
  if (media !== undefined) {
    // Text is recommended for cookies that must not be percent-encoded (OpenAPI 3.1, Appendix D).
    const style = place === "cookie" && media.type.startsWith("text/") ? "cookie" : usual;
    return { style, explode: false, allowReserved: false };
  }
  const written = definition["style"] ?? usual;
  const explode = definition["explode"];
  return {
    style: STYLES[place].find((style) => style === written) ?? usual,
    explode: typeof explode === "boolean" ? explode : written === "form" || written === "cookie",
    allowReserved: definition["allowReserved"] === true,
  };
}

/** Parameters as the template has them: undeclared ones are added, strays dropped. */
function fitToPath(
  parameters: readonly Parameter[],
  template: string,
  document: ApiDocument,
): Parameter[] {
  const declared = new Set(parameters.map(({ place, name }) => `${place} ${name}`));
  const names = new Set(parameters.map(({ name }) => name));
  const namesIn = (part: string) =>
    variablesOf(part, (name) => names.has(name)).map(({ name }) => name);
  const { path, pairs } = splitTemplate(template);
  const inPath = new Set(namesIn(path));
  const inQuery = new Set(pairs.flatMap(namesIn));
  const undeclared = [
    ...[...inPath].map((name) => ({ name, in: "path" })),
    // What a query in the template asks for may be declared as either.
    ...[...inQuery].filter((name) => !inPath.has(name) && !declared.has(`path ${name}`))
      .map((name) => ({ name, in: "query" })),
  ].filter((definition) => !declared.has(`${definition.in} ${definition.name}`));
  return [
    ...undeclared.map((definition) => toParameter(definition, document))
      .filter((parameter) => parameter !== undefined),
    ...parameters.filter(({ place, name }) =>
      place !== "path" || inPath.has(name) || inQuery.has(name)
    ),
  ];
}

/** One body of several definitions: Swagger 2 has one for each form field. */
function toBody(
  definitions: readonly JsonObject[],
  verb: string,
  document: ApiDocument,
): Body | undefined {
  // "The request body SHALL be ignored" where HTTP has no use for it; fetch refuses to send it.
  if (verb === "GET" || verb === "HEAD") return undefined;
  const media = new Map<string, Media>();
  for (const { type, schema, encoding } of definitions.flatMap((one) => mediaOf(one, document))) {
    const known = media.get(type);
    media.set(type, {
      type,
      schema: known === undefined ? schema : { allOf: [known.schema, schema] },
      encoding: { ...known?.encoding, ...encoding },
    });
  }
  if (media.size === 0) return undefined;
  return {
    required: definitions.some((definition) => definition["required"] === true),
    media: [...media.values()],
    description: definitions[0]?.["description"],
  };
}

/** The `content` of a parameter or body. */
function mediaOf({ content }: JsonObject, { references }: ApiDocument): Media[] {
  return entriesOf(content).flatMap(([key, node]) => {
    const found = references.resolve(node)?.value;
    if (found === undefined) return [];
    const { schema, encoding } = found;
    return [{ type: bareMediaType(key), schema, encoding: isObject(encoding) ? encoding : {} }];
  });
}

/** A media type in lower case and without parameters. */
export function bareMediaType(contentType: string): string {
  return contentType.replace(/;.*$/s, "").trim().toLowerCase();
}

function isPlace(value: unknown): value is ParameterPlace {
  return typeof value === "string" && Object.hasOwn(STYLES, value);
}

/** True for a style that is defined. */
export function isStyle(value: unknown): value is ParameterStyle {
  return Object.values(STYLES).flat().some((style) => style === value);
}
