/**
 * What a method takes: its parameters and its body.
 *
 * @module
 */
import type { ApiDocument } from "../document/api_document.ts";
import { entriesOf, isObject, type JsonObject, listOf } from "../document/json.ts";
import { type Media, mediaOf } from "./media.ts";
import type { MethodEntry } from "./methods.ts";
import { toRequestBody } from "../document/older.ts";
import { type Parameter, toParameter } from "./parameter.ts";
import { splitTemplate, variablesOf } from "./path_template.ts";

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
      const isBody = isObject(definition["content"]) && definition["in"] === undefined;
      const body = isBody ? definition : toRequestBody(definition);
      if (body !== undefined) {
        bodies.push(body);
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
  for (const one of definitions.flatMap((definition) => mediaOf(definition, document))) {
    const known = media.get(one.type);
    media.set(one.type, known === undefined ? one : merge(known, one));
  }
  if (media.size === 0) return undefined;
  return {
    required: definitions.some((definition) => definition["required"] === true),
    media: [...media.values()],
    description: definitions[0]?.["description"],
  };
}

/** Two definitions of one media type as one. */
function merge(known: Media, more: Media): Media {
  const encodings = [known, more].flatMap(({ rules }) => entriesOf(rules["encoding"]));
  return {
    ...more,
    schema: { allOf: [known.schema, more.schema] },
    rules: { ...more.rules, encoding: Object.fromEntries(encodings) },
  };
}
