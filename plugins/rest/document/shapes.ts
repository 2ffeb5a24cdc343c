/**
 * A schema as one shape: references followed, `allOf` merged, alternatives laid side by side.
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "./json.ts";
import { inferTypes, type JsonType, typesOf } from "./types.ts";
import type { References, Resolved } from "./references.ts";

/** What a schema says of a value, without composition. */
export interface Shape {
  /** The same object for every use of one schema. */
  readonly identity: object;
  /** The component's name, when the schema is one. */
  readonly name: string | undefined;
  /** Empty when any value will do. */
  readonly types: ReadonlySet<JsonType>;
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
  /** `additionalProperties` as written: absent, a boolean or a schema. */
  readonly additional: unknown;
  readonly items: unknown;
  /** The other keywords: `format`, `enum`, `description` … */
  readonly keywords: JsonObject;
}

/** Most wrappers around one schema. */
const MAX_WRAPPERS = 8;
/** Most schemas that are composed into one shape. */
const MAX_PARTS = 1000;

interface Draft {
  types: ReadonlySet<JsonType>;
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
  keywords: JsonObject;
}

/** Works out the shapes of one document's schemas, each once. */
export class Shapes {
  readonly #references: References;
  readonly #known = new WeakMap<object, Shape>();

  constructor(references: References) {
    this.#references = references;
  }

  /** The shape of a schema; anything that is none may be any value. */
  of(schema: unknown): Shape {
    if (!isObject(schema)) return toShape(newDraft(), {}, undefined);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const draft = newDraft();
    this.#absorb(draft, schema, new Set());
    const core = this.#unwrap(schema);
    const shape = toShape(draft, core?.identity ?? schema, core?.name);
    this.#known.set(schema, shape);
    return shape;
  }

  /** The component that a schema is about: X, for instance, of `anyOf: [X, null]` or `allOf: [X]`. */
  #unwrap(schema: unknown, depth = 0): Resolved | undefined {
    const resolved = this.#references.resolve(schema);
    if (resolved === undefined || depth >= MAX_WRAPPERS) return resolved;
    const { value } = resolved;
    const parts = [value["allOf"], value["oneOf"], value["anyOf"]].flatMap(listOf)
      .filter((part) => !isNull(part));
    const isWrapper = parts.length === 1 && value["properties"] === undefined;
    return isWrapper ? this.#unwrap(parts[0], depth + 1) ?? resolved : resolved;
  }

  /** Adds a schema to a draft. A schema met before is passed over, which ends every circle. */
  #absorb(draft: Draft, schema: unknown, met: Set<object>): void {
    const resolved = this.#references.resolve(schema);
    if (resolved === undefined || met.has(resolved.identity) || met.size >= MAX_PARTS) return;
    met.add(resolved.identity);
    const { value } = resolved;
    draft.keywords = { ...value, ...draft.keywords };
    if (draft.types.size === 0) draft.types = typesOf(value["type"]);
    addProperties(draft.properties, entriesOf(value["properties"]));
    for (const name of listOf(value["required"])) draft.required.add(String(name));
    for (const part of listOf(value["allOf"])) this.#absorb(draft, part, met);
    for (const keyword of ["oneOf", "anyOf"]) {
      this.#absorbAlternatives(draft, listOf(value[keyword]), met);
    }
  }

  /** Properties of all alternatives are offered; required are those that every one requires. */
  #absorbAlternatives(draft: Draft, schemas: readonly unknown[], met: Set<object>): void {
    const alternatives: Draft[] = [];
    for (const schema of schemas) {
      if (isNull(schema)) continue;
      const alternative = newDraft();
      this.#absorb(alternative, schema, met);
      alternatives.push(alternative);
    }
    const [first, ...others] = alternatives;
    if (first === undefined) return;
    for (const { properties } of alternatives) addProperties(draft.properties, properties);
    for (const name of first.required) {
      if (others.every(({ required }) => required.has(name))) draft.required.add(name);
    }
    if (draft.types.size === 0) {
      const types = alternatives.map(inferTypes);
      // An alternative that may be anything makes the whole so.
      if (types.every(({ size }) => size > 0)) {
        draft.types = new Set(types.flatMap((set) => [...set]));
      }
    }
    // With one alternative only null is left out, so its other keywords hold as well.
    if (others.length === 0) draft.keywords = { ...first.keywords, ...draft.keywords };
  }
}

/** True for a value that is bytes, given as base64. */
export function isBinary({ types, keywords }: Shape): boolean {
  if (types.size > 1 || (types.size === 1 && !types.has("string"))) return false;
  if (keywords["format"] === "binary") return true;
  const mediaType = textOf(keywords["contentMediaType"]);
  return mediaType !== undefined && keywords["contentEncoding"] === undefined &&
    !/^text\/|[/+](json|xml)$/.test(mediaType);
}

/** True when a shape has this type and no other. */
export function isOnly({ types }: Shape, type: JsonType): boolean {
  return types.size === 1 && types.has(type);
}

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema["type"] === "null";
}

function newDraft(): Draft {
  return { types: new Set(), properties: new Map(), required: new Set(), keywords: {} };
}

function toShape(draft: Draft, identity: object, name: string | undefined): Shape {
  const { properties, required, keywords } = draft;
  // What is required but described nowhere may still be given, else it never could.
  if (properties.size > 0) addProperties(properties, [...required].map((name) => [name, {}]));
  return {
    identity,
    name,
    types: inferTypes(draft),
    properties,
    required,
    // Properties by pattern are additional ones as far as names go.
    additional: isObject(keywords["patternProperties"]) ? true : keywords["additionalProperties"],
    items: keywords["items"],
    keywords,
  };
}

function addProperties(
  properties: Map<string, unknown>,
  more: Iterable<readonly [string, unknown]>,
): void {
  for (const [name, schema] of more) {
    if (!properties.has(name)) properties.set(name, schema);
  }
}
