/**
 * What a method takes: its parameters and its body.
 *
 * @module
 */
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import { CONNECTION_HEADERS } from "../request/metadata.ts";
import type { MethodEntry } from "./methods.ts";

/** Where a parameter travels. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** How a parameter's value is written (OpenAPI 3.1, "Style Values"). */
export type ParameterStyle =
  | "simple"
  | "label"
  | "matrix"
  | "form"
  | "spaceDelimited"
  | "pipeDelimited"
  | "deepObject";

/** One parameter of a method. */
export interface Parameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  readonly required: boolean;
  /** True when the value travels as JSON text, since the parameter has `content`. */
  readonly isJson: boolean;
  readonly schema: unknown;
  /** The Parameter Object, for its description and examples. */
  readonly definition: JsonObject;
}

/** One form that a body may have. */
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

const PLACES: readonly unknown[] = ["path", "query", "header", "cookie"];
const STYLES: readonly unknown[] = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
];

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
      const parameter = toParameter(definition);
      if (parameter !== undefined) {
        parameters.set(`${parameter.place} ${parameter.name}`, parameter);
      }
    }
  }
  const own = document.references.resolve(entry.operation["requestBody"])?.value;
  return {
    parameters: fitToPath([...parameters.values()], entry.path),
    body: toBody(own === undefined ? bodies : [own, ...bodies], entry.verb),
  };
}

function toParameter(definition: JsonObject): Parameter | undefined {
  const name = textOf(definition["name"]);
  const place = definition["in"];
  if (name === undefined || name.trim() === "" || !isPlace(place)) return undefined;
  if (place === "header" && IGNORED_HEADERS.has(name.toLowerCase())) return undefined;
  const content = entriesOf(definition["content"])[0]?.[1];
  const style = isStyle(definition["style"])
    ? definition["style"]
    : place === "query" || place === "cookie"
    ? "form"
    : "simple";
  return {
    name,
    place,
    style,
    explode: typeof definition["explode"] === "boolean" ? definition["explode"] : style === "form",
    allowReserved: definition["allowReserved"] === true,
    required: place === "path" || definition["required"] === true,
    isJson: isObject(content),
    schema: isObject(content) ? content["schema"] : definition["schema"] ?? PLAIN_SCHEMA,
    definition,
  };
}

/** Path parameters as the template has them: undeclared ones are added, strays dropped. */
function fitToPath(parameters: readonly Parameter[], path: string): Parameter[] {
  const names = new Set(Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name));
  const fitting = parameters.filter(({ place, name }) => place !== "path" || names.delete(name));
  const undeclared = [...names].map((name) => toParameter({ name, in: "path" }))
    .filter((parameter) => parameter !== undefined);
  return [...undeclared, ...fitting];
}

/** One body of several definitions: Swagger 2 has one for each form field. */
function toBody(definitions: readonly JsonObject[], verb: string): Body | undefined {
  // "The request body SHALL be ignored" where HTTP has no use for it; fetch refuses to send it.
  if (verb === "GET" || verb === "HEAD") return undefined;
  const media = new Map<string, Media>();
  for (const definition of definitions) {
    for (const [type, node] of entriesOf(definition["content"])) {
      if (!isObject(node)) continue;
      const key = bareMediaType(type);
      const schema = node["schema"];
      const known = media.get(key);
      media.set(key, {
        type: key,
        schema: known === undefined ? schema : { allOf: [known.schema, schema] },
        encoding: { ...known?.encoding, ...(isObject(node["encoding"]) ? node["encoding"] : {}) },
      });
    }
  }
  if (media.size === 0) return undefined;
  return {
    required: definitions.some((definition) => definition["required"] === true),
    media: [...media.values()],
    description: definitions[0]?.["description"],
  };
}

/** A media type in lower case and without parameters. */
export function bareMediaType(contentType: string): string {
  return contentType.replace(/;.*$/s, "").trim().toLowerCase();
}

function isPlace(value: unknown): value is ParameterPlace {
  return PLACES.includes(value);
}

/** True for a style that is defined. */
export function isStyle(value: unknown): value is ParameterStyle {
  return STYLES.includes(value);
}
