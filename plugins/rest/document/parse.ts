/**
 * An HTTP answer as an API document, if it is one.
 *
 * @module
 */
import { BowireError, messageOf } from "../../../lib/errors/mod.ts";
import { contentTypeOf, type HttpAnswer, redactUrl } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { parseJson } from "../../../lib/schema/exact_json.ts";
import { checkDepth, isObject, type JsonObject, textOf } from "./json.ts";
import { placesIn, type ReadPart } from "./parts.ts";
import { upgradeDocument, upgradePart } from "./upgrade.ts";
import { parseYaml } from "./yaml.ts";

// `openapi: 3.1.0`, `"swagger": "2.0"`: without such a line somewhere no parser needs to run.
const CLAIM = /(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d/m;
const SUPPORTED = /^(2\.0|3\.[012](\.\d+)?(-.*)?)$/;

/** A document that was read, and what it takes to make it whole. */
export interface ReadDocument {
  /** OpenAPI 3.1 or 3.2. */
  readonly root: JsonObject;
  /** Against which its references are resolved. */
  readonly url: string;
  /** URLs of the other documents that it refers to. */
  readonly places: ReadonlySet<string>;
  /** `swagger` or `openapi` and the version, as the document has it. */
  readonly claim: JsonObject;
}

/**
 * Reads OpenAPI 3 or Swagger 2 in JSON or YAML.
 *
 * @returns `undefined` when the answer is something else.
 * @throws {BowireError} `bad_document` when it says that it is one but cannot be read.
 */
export function readDocument(answer: HttpAnswer): ReadDocument | undefined {
  const text = decode(answer);
  if (/^\s*</.test(text) || !CLAIM.test(text)) return undefined;
  const root = attempt(answer, "parse", () => checkDepth(parse(text)));
  if (!isObject(root)) return undefined;
  const member = root["swagger"] === undefined ? "openapi" : "swagger";
  const version = versionOf(root[member]);
  if (version === undefined) return undefined;
  if (!SUPPORTED.test(version)) {
    throw badDocument(
      answer,
      `read "${cleanLine(version, 40)}" of`,
      "versions 2.0, 3.0, 3.1 and 3.2 are known",
    );
  }
  const paths = root["paths"];
  if (paths !== undefined && paths !== null && !isObject(paths)) {
    throw badDocument(answer, "use", "its paths are not an object");
  }
  const url = baseUrlOf(root, answer);
  const places = placesIn(root, url, text);
  const claim = { [member]: version };
  const upgraded = attempt(
    answer,
    "read",
    () => upgradeDocument({ ...root, ...claim }, answer.url),
  );
  return isObject(upgraded) ? { root: upgraded, url, places, claim } : undefined;
}

/**
 * Reads a part of a document: a document of its own, or any other object in JSON or YAML.
 *
 * @param claim of the document, whose version is that of a part that does not say.
 * @throws {BowireError} `bad_document`.
 */
export function readPart(answer: HttpAnswer, claim: JsonObject): ReadPart {
  if (answer.status !== 200) {
    throw badDocument(answer, "read", `the server answered ${answer.status}`);
  }
  const root = attempt(answer, "parse", () => checkDepth(parse(decode(answer))));
  if (!isObject(root)) throw badDocument(answer, "use", "it is not an object");
  const upgraded = attempt(answer, "read", () => upgradePart(root, claim, answer.url));
  return { root: upgraded, url: baseUrlOf(root, answer) };
}

/** Where an object says it lies (`$self` of OpenAPI 3.2), else where it came from. */
function baseUrlOf(root: JsonObject, { url }: HttpAnswer): string {
  return URL.parse(textOf(root["$self"]) ?? "", url)?.href ?? url;
}

/** JSON first, since a YAML parser takes seconds for what a JSON parser does in milliseconds. */
function parse(text: string): unknown {
  const looksLikeJson = /^\s*\{/.test(text);
  try {
    if (looksLikeJson) return parseJson(text);
  } catch (error) {
    try {
      return parseYaml(text);
    } catch {
      throw error;
    }
  }
  return parseYaml(text);
}

/** The version as text; YAML authors leave out the quotes, which makes it a number. */
function versionOf(value: unknown): string | undefined {
  if (typeof value === "number") return value.toFixed(1);
  return typeof value === "string" && /^\d/.test(value) ? value.trim() : undefined;
}

function attempt<T>(answer: HttpAnswer, verb: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    // The first line has the reason and the place; those behind it quote the document.
    const [reason = ""] = messageOf(error).split("\n", 1);
    throw badDocument(answer, verb, cleanLine(reason, 300));
  }
}

function badDocument(answer: HttpAnswer, verb: string, reason: string): BowireError {
  return new BowireError(
    "bad_document",
    `cannot ${verb} the API document at "${redactUrl(answer.url)}": ${reason}`,
    { hint: "check the document with its author, or give the URL of another" },
  );
}

function decode(answer: HttpAnswer): string {
  const { charset } = contentTypeOf(answer);
  try {
    return new TextDecoder(charset === "" ? "utf-8" : charset).decode(answer.body);
  } catch {
    // A charset that nobody knows: nearly all of them agree on what a document needs.
    return new TextDecoder().decode(answer.body);
  }
}
