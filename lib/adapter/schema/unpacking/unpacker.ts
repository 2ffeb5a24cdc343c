/**
 * JSON text as a schema and its definitions, every node of them portable.
 *
 * @module
 */
import { entriesOf, isObject, type JsonObject } from "../../../schema/json_schema.ts";
import { resolvePointer } from "../../../schema/json_pointer.ts";
import { parseJson } from "../../../schema/mod.ts";
import { SchemaPacker } from "../../../schema/pack.ts";
import { portableNode } from "../portable_node.ts";
import { shortenArguments, shortenTexts, type TextLimits } from "../texts.ts";
import type { Definitions } from "../visit.ts";
import { cutLoops } from "./loops.ts";
import { type KnownSchema, KnownSchemas } from "./known_schemas.ts";

/** A schema without its definitions, and those. */
export interface Unpacked {
  readonly root: JsonObject;
  readonly definitions: Definitions;
}

/** How schemas are unpacked. */
export interface UnpackOptions {
  /** What is done to each schema before. @default nothing */
  readonly prepare?: (schema: JsonObject) => JsonObject;
  /** How long the texts of definitions may be. @default as {@linkcode portableNode} leaves them */
  readonly limits?: TextLimits | undefined;
}

/** Most schema nodes of one tool; what lies beyond may be anything. */
const MAX_NODES = 2000;

/**
 * Unpacks schemas that have much in common: what they define alike is made portable once. The
 * schemas of an API's methods define the same over and over.
 */
export class Unpacker {
  readonly #prepare: (schema: JsonObject) => JsonObject;
  readonly #limits: TextLimits | undefined;
  readonly #known: KnownSchemas;

  constructor({ prepare = (schema) => schema, limits }: UnpackOptions = {}) {
    this.#prepare = prepare;
    this.#limits = limits;
    this.#known = new KnownSchemas({
      prepare,
      maxNodes: MAX_NODES,
      toPortable: (schema, name) => this.#toPortable(schema, name),
    });
  }

  /** Unpacks one schema. */
  unpack(text: string): Unpacked {
    const whole = parseJson(text);
    return this.#unpackByParts(whole) ?? this.#unpackWhole(whole);
  }

  /** Lets go of what it remembers. */
  forget(): void {
    this.#known.forget();
  }

  /** Each property and definition by itself; `undefined` for what takes a closer look. */
  #unpackByParts(whole: unknown): Unpacked | undefined {
    if (!isObject(whole) || !arePropertiesApart(whole)) return undefined;
    const { properties: _, $defs: _defs, ...rest } = whole;
    const root = this.#known.read(rest);
    const properties = this.#recallAll(whole["properties"]);
    const definitions = this.#recallAll(whole["$defs"], { areNamed: false });
    if (properties === undefined || definitions === undefined) return undefined;
    const all = [root, ...properties.values(), ...definitions.values()];
    const nodes = all.reduce((sum, { nodes }) => sum + nodes, 0);
    const isPlain = all.every(({ references }) =>
      references !== undefined && references.every((name) => definitions.has(name))
    );
    if (nodes > MAX_NODES || !isPlain || hasLoop(definitions)) return undefined;
    return {
      root: {
        ...root.portable,
        ...properties.size === 0 ? {} : { properties: Object.fromEntries(portables(properties)) },
      },
      definitions: new Map(portables(definitions)),
    };
  }

  /** @param options `areNamed` when their names tell what they are. */
  #recallAll(
    schemas: unknown,
    { areNamed } = { areNamed: true },
  ): ReadonlyMap<string, KnownSchema> | undefined {
    const known = new Map<string, KnownSchema>();
    for (const [name, schema] of entriesOf(schemas)) {
      // Draft 3 says here what the root requires.
      if (!isObject(schema) || typeof schema["required"] === "boolean") return undefined;
      known.set(name, this.#known.recall(schema, areNamed ? name : undefined));
    }
    return known;
  }

  #unpackWhole(whole: unknown): Unpacked {
    const packer = new SchemaPacker((node) => follow(node, whole), { maxNodes: MAX_NODES });
    const root = this.#shorten(portableNode(this.#prepare(packer.pack(whole))), shortenArguments);
    const packed = Object.entries(packer.definitions)
      .map(([name, schema]) => [name, this.#prepare(schema)] as const);
    const definitions = [...cutLoops(new Map(packed))]
      .map(([name, schema]) => [name, this.#toPortable(schema)] as const);
    return { root, definitions: new Map(definitions) };
  }

  #toPortable(schema: JsonObject, name?: string): JsonObject {
    return this.#shorten(portableNode(schema, { name }), shortenTexts);
  }

  #shorten(
    schema: JsonObject,
    shorten: (schema: JsonObject, limits: TextLimits) => JsonObject,
  ): JsonObject {
    return this.#limits === undefined ? schema : shorten(schema, this.#limits);
  }
}

/** False when the other keywords of a schema are to be read with its properties. */
function arePropertiesApart(schema: JsonObject): boolean {
  return !("properties" in schema) ||
    (schema["type"] === "object" && !("patternProperties" in schema));
}

/** True when a definition leads to itself without going a level deeper. */
function hasLoop(definitions: ReadonlyMap<string, KnownSchema>): boolean {
  const [open, done] = [new Set<string>(), new Set<string>()];
  const leadsBack = (name: string): boolean => {
    if (open.has(name) || done.has(name)) return open.has(name);
    open.add(name);
    const isLoop = definitions.get(name)?.ofSameValue.some(leadsBack) ?? false;
    open.delete(name);
    done.add(name);
    return isLoop;
  };
  return definitions.keys().some(leadsBack);
}

function portables(schemas: ReadonlyMap<string, KnownSchema>): (readonly [string, JsonObject])[] {
  return [...schemas].map(([name, { portable }]) => [name, portable] as const);
}

function follow(node: unknown, root: unknown) {
  const reference = isObject(node) ? node["$ref"] : undefined;
  if (!isObject(node) || typeof reference !== "string") return undefined;
  const goal = resolvePointer(root, reference);
  if (!isObject(goal)) return undefined;
  const { $ref: _, ...siblings } = node;
  return { value: { ...goal, ...siblings }, identity: goal, name: reference.split("/").at(-1) };
}
