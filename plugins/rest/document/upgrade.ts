/**
 * Swagger 2 and OpenAPI 3.0 documents become OpenAPI 3.1, so that all else knows one version.
 *
 * @module
 */
import { upgrade } from "@scalar/openapi-upgrader";
import { isRawJson, parseJson, type RawJson } from "../../../lib/schema/exact_json.ts";
import type { ParameterStyle } from "../method/parameter.ts";
import { swaggerServers } from "../method/servers.ts";
import { entriesOf, isObject, type JsonObject, listOf } from "./json.ts";
import { putBack, setAside } from "./set_aside.ts";

/** Of Swagger 2; the upgrader knows two of them, in queries only. */
const COLLECTION_STYLES = new Map<unknown, ParameterStyle>([
  ["ssv", "spaceDelimited"],
  ["pipes", "pipeDelimited"],
  ["tsv", "tabDelimited"],
]);

const VERB = /^(get|put|post|delete|options|head|patch|trace)$/;

const ASSERTIONS = new Set(
  ("type format enum const items properties required allOf anyOf oneOf not pattern multipleOf " +
    "additionalProperties minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength " +
    "minItems maxItems uniqueItems minProperties maxProperties").split(" "),
);

/**
 * Upgrades a document. Parts of the given one are changed.
 *
 * @param url where it was read, for the servers that Swagger 2 leaves to it.
 * @throws {Error} when the document does not keep to its version's structure.
 */
export function upgradeDocument(root: JsonObject, url: string): unknown {
  if (root["swagger"] !== undefined) return upgradeSwagger(root, url);
  if (!String(root["openapi"]).startsWith("3.0")) return root;
  const old = { ...root };
  if (!setAside(old, withoutAssertions)) return { ...old, openapi: "3.1.1" };
  const upgraded = upgrade(old, "3.1");
  putBack(upgraded);
  return upgraded;
}

function upgradeSwagger(root: JsonObject, url: string): unknown {
  const old = prepareSwagger(root, url);
  // The upgrader copies objects, and a copy of a raw number is none: they go through as plain
  // objects.
  replaceObjects(old, (value) => isRawJson(value) ? { ...value } : withoutAssertions(value));
  const upgraded: unknown = upgrade(old, "3.1");
  replaceObjects(upgraded, (value) => isDetached(value) ? parseJson(value.rawJSON) : undefined);
  return upgraded;
}

/**
 * Upgrades a part of a document. Only what differs in structure is: a document of its own, and a
 * path item. Schemas are read in any version's dialect.
 *
 * @param claim the version of the document that the part belongs to.
 * @throws {Error} as {@linkcode upgradeDocument} does.
 */
export function upgradePart(root: unknown, claim: JsonObject, url: string): unknown {
  if (!isObject(root)) return root;
  if ((root["swagger"] ?? root["openapi"]) !== undefined) return upgradeDocument(root, url);
  if (!entriesOf(root).some(([name, value]) => VERB.test(name) && isObject(value))) return root;
  const upgraded = upgradeDocument({ ...claim, info: {}, paths: { "/": root } }, url);
  return isObject(upgraded) && isObject(upgraded["paths"]) ? upgraded["paths"]["/"] : root;
}

/** Swagger 2 with the servers it means, and without what trips the upgrader. */
function prepareSwagger(root: JsonObject, url: string): Record<string, unknown> {
  const { host: _host, basePath: _basePath, schemes: _schemes, ...others } = root;
  const paths = entriesOf(root["paths"]).map(([path, item]) => [path, tidyPathItem(item)]);
  const parameters = entriesOf(root["parameters"])
    .flatMap(([name, node]) => isObject(node) ? [[name, withStyle(node)]] : []);
  return {
    ...others,
    servers: swaggerServers(root, url),
    paths: Object.fromEntries(paths),
    parameters: Object.fromEntries(parameters),
  };
}

/** Only methods and what they inherit, the inherited first; no nulls among their members. */
function tidyPathItem(item: unknown): JsonObject {
  const { parameters, $ref, ...members } = isObject(item) ? item : {};
  const methods = entriesOf(members)
    .filter(([name]) => !name.startsWith("x-"))
    .flatMap(([name, method]) => isObject(method) ? [[name, tidyMethod(method)]] : []);
  return {
    ...($ref === undefined ? {} : { $ref }),
    ...(parameters === undefined ? {} : { parameters: tidyParameters(parameters) }),
    ...Object.fromEntries(methods),
  };
}

function tidyMethod({ parameters, responses, ...others }: JsonObject): JsonObject {
  return {
    ...others,
    parameters: tidyParameters(parameters),
    responses: Object.fromEntries(entriesOf(responses).filter(([, answer]) => isObject(answer))),
  };
}

function tidyParameters(parameters: unknown): JsonObject[] {
  return listOf(parameters).filter(isObject).map(withStyle);
}

/** A list's parameter with the style of its `collectionFormat`, where the upgrader loses it. */
function withStyle(parameter: JsonObject): JsonObject {
  if (parameter["type"] !== "array") return parameter;
  const { collectionFormat = "csv" } = parameter;
  if (parameter["in"] === "formData") return { ...parameter, collectionFormat };
  const style = COLLECTION_STYLES.get(collectionFormat);
  return style === undefined ? parameter : { ...parameter, style, explode: false };
}

/**
 * A reference without the conditions beside it: before OpenAPI 3.1 they mean nothing ("Reference
 * Object"), and after the upgrade they would.
 */
function withoutAssertions(value: object): object | undefined {
  if (!("$ref" in value) || typeof value.$ref !== "string") return undefined;
  const kept = Object.entries(value).filter(([name]) => !ASSERTIONS.has(name));
  return kept.length < Object.keys(value).length ? Object.fromEntries(kept) : undefined;
}

/** Puts a replacement, if there is one, in the place of each object within `node`. */
function replaceObjects(node: unknown, replacementOf: (value: object) => unknown): void {
  if (typeof node !== "object" || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null) continue;
    const replacement = replacementOf(value);
    if (replacement === undefined) replaceObjects(value, replacementOf);
    else Object.assign(node, { [key]: replacement });
  }
}

function isDetached(value: object): value is RawJson {
  return "rawJSON" in value && typeof value.rawJSON === "string" &&
    /^-?\d[\d.eE+-]*$/.test(value.rawJSON) && Object.keys(value).length === 1;
}
