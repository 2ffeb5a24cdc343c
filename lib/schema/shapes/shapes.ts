/**
 * A schema as one shape: references followed, `allOf` merged, alternatives laid side by side.
 *
 * @module
 */
import type { Alternative } from "../../model/mod.ts";
import {
  entriesOf,
  type Followed,
  type FollowReference,
  isObject,
  type JsonObject,
  listOf,
  textOf,
} from "../json_schema.ts";
import { inferTypes, type JsonType, typesOf } from "./types.ts";
import { allowsNull, isNull, type Shape, valuesOf } from "./shape.ts";

/** Most wrappers around one schema. */
const MAX_WRAPPERS = 8;
/** Most schemas that are composed into one shape. */
const MAX_PARTS = 1000;

interface Draft {
  name: string | undefined;
  types: ReadonlySet<JsonType>;
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
  isNullable: boolean;
  alternatives: readonly Alternative[];
  keywords: JsonObject;
}

/** How a schema was come to. */
interface Way {
  /** Identities of the schemas around it. */
  readonly ancestors: Set<object>;
  /** What is left of the bound on composition. */
  readonly budget: { parts: number };
}

/** Works out the shapes of one document's schemas, each once. */
export class Shapes {
  readonly #follow: FollowReference;
  readonly #known = new WeakMap<object, Shape>();

  /** @param follow gives a node without a reference back as it is. */
  constructor(follow: FollowReference) {
    this.#follow = follow;
  }

  /** The shape of a schema; anything that is none may be any value. */
  of(schema: unknown): Shape {
    if (!isObject(schema)) return toShape(newDraft(), {}, undefined);
    const known = this.#known.get(schema);
    if (known !== undefined) return known;
    const draft = newDraft();
    this.#absorb(draft, schema, { ancestors: new Set(), budget: { parts: MAX_PARTS } });
    const core = this.#unwrap(schema);
    const shape = toShape(draft, core?.identity ?? schema, core?.name);
    this.#known.set(schema, shape);
    return shape;
  }

  /** The component that a schema is about: X, for instance, of `anyOf: [X, null]` or `allOf: [X]`. */
  #unwrap(schema: unknown, depth = 0): Followed | undefined {
    const resolved = this.#follow(schema);
    if (resolved === undefined || depth >= MAX_WRAPPERS) return resolved;
    const { value } = resolved;
    const parts = [value["allOf"], value["oneOf"], value["anyOf"]].flatMap(listOf)
      .filter((part) => !isNull(part));
    const isWrapper = parts.length === 1 && value["properties"] === undefined;
    return isWrapper ? this.#unwrap(parts[0], depth + 1) ?? resolved : resolved;
  }

  /** Adds a schema to a draft. A schema met on the way here is passed over: every circle ends. */
  #absorb(draft: Draft, schema: unknown, way: Way): void {
    const resolved = this.#follow(schema);
    if (resolved === undefined || way.ancestors.has(resolved.identity)) return;
    if (way.budget.parts-- <= 0) return;
    way.ancestors.add(resolved.identity);
    const { value } = resolved;
    draft.keywords = { ...value, ...draft.keywords };
    draft.isNullable ||= allowsNull(value);
    if (draft.types.size === 0) draft.types = typesOf(value["type"]);
    for (const [name, own] of entriesOf(value["properties"])) {
      const known = draft.properties.get(name);
      // Defined by several parts of an `allOf`, it must be as each of them says.
      const isNew = known === undefined || known === own;
      draft.properties.set(name, isNew ? own : { allOf: [known, own] });
    }
    for (const name of listOf(value["required"])) draft.required.add(String(name));
    for (const part of listOf(value["allOf"])) this.#absorb(draft, part, way);
    for (const keyword of ["oneOf", "anyOf"]) {
      this.#absorbAlternatives(draft, listOf(value[keyword]), way);
    }
  }

  /** Properties of all alternatives are offered; required are those that every one requires. */
  #absorbAlternatives(draft: Draft, schemas: readonly unknown[], way: Way): void {
    const drafts = schemas.filter((schema) => !isNull(schema)).map((schema) => {
      const alternative = newDraft();
      this.#absorb(alternative, schema, { ...way, ancestors: new Set(way.ancestors) });
      alternative.name = this.#follow(schema)?.name ??
        textOf(alternative.keywords["title"]);
      return alternative;
    });
    const [first, ...others] = drafts;
    if (first === undefined) return;
    addProperties(draft.properties, joinProperties(drafts));
    for (const name of first.required) {
      if (others.every(({ required }) => required.has(name))) draft.required.add(name);
    }
    draft.isNullable ||= drafts.some(({ isNullable }) => isNullable);
    if (draft.types.size === 0) {
      const types = drafts.map(inferTypes);
      // An alternative that may be anything makes the whole so.
      if (types.every(({ size }) => size > 0)) {
        draft.types = new Set(types.flatMap((set) => [...set]));
      }
    }
    // With one alternative only null is left out, so its other keywords hold as well.
    if (others.length === 0) draft.keywords = { ...first.keywords, ...draft.keywords };
    else noteForms(draft, drafts);
  }
}

/** What several alternatives have in common, and how they differ. */
function noteForms(draft: Draft, drafts: readonly Draft[]): void {
  const values = drafts.map(({ keywords }) => valuesOf(keywords));
  if (values.every((list) => list.length > 0)) {
    draft.keywords = { enum: values.flat(), ...draft.keywords };
  }
  const shared = ["additionalProperties", "items", "format"].flatMap((name) => {
    const variants = new Set(drafts.map(({ keywords }) => keywords[name]));
    if (variants.has(undefined)) return [];
    const [only, ...others] = variants;
    return [[name, others.length === 0 ? only : { anyOf: [...variants] }]];
  });
  const described = drafts.find(({ keywords }) => textOf(keywords["description"]) !== undefined);
  const { description } = described?.keywords ?? {};
  draft.keywords = {
    ...(description === undefined ? {} : { description }),
    ...Object.fromEntries(shared),
    ...draft.keywords,
  };
  if (drafts.every(({ properties, required }) => properties.size + required.size > 0)) {
    draft.alternatives = drafts.map(({ name, properties, required }, index) => ({
      name: name ?? String(index + 1),
      fields: [...properties.keys()],
      required: [...required],
    }));
  }
}

/** The properties of all alternatives; what several of them have may be as any of them says. */
function joinProperties(drafts: readonly Draft[]): Map<string, unknown> {
  const schemas = new Map<string, Set<unknown>>();
  for (const { properties } of drafts) {
    for (const [name, schema] of properties) {
      const known = schemas.get(name);
      if (known === undefined) schemas.set(name, new Set([schema]));
      else known.add(schema);
    }
  }
  const joined = new Map<string, unknown>();
  for (const [name, [...variants]] of schemas) {
    joined.set(name, variants.length === 1 ? variants[0] : { anyOf: variants });
  }
  return joined;
}

function newDraft(): Draft {
  return {
    name: undefined,
    types: new Set(),
    properties: new Map(),
    required: new Set(),
    isNullable: false,
    alternatives: [],
    keywords: {},
  };
}

function toShape(draft: Draft, identity: object, name: string | undefined): Shape {
  const { properties, required, keywords, isNullable, alternatives } = draft;
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
    items: itemsOf(keywords),
    isNullable,
    alternatives,
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

/** The schema of any item; older documents list one for each place. */
function itemsOf({ items, prefixItems }: JsonObject): unknown {
  const listed = [...listOf(prefixItems), ...listOf(items)];
  if (listed.length === 0) return items;
  return { anyOf: isObject(items) ? [...listed, items] : listed };
}
