/**
 * Schemas of a foreign document as one self-contained JSON Schema 2020-12 that strict readers
 * take. Loads the regular expression engine: `mod.ts` of this room leaves it out.
 *
 * @module
 */
import { childrenOf, type ForeignSchema } from "./packing/children.ts";
import { cleanKeywords, readNames } from "./packing/keywords.ts";
import { DefinitionNames } from "./packing/names.ts";
import { orNull } from "./packing/nullable.ts";
import {
  entriesOf,
  type FollowReference,
  isObject,
  isTrue,
  type JsonObject,
} from "./json_schema.ts";
import { type Omitted, OmittedProperties } from "./packing/omitted.ts";

export type { Followed, FollowReference, JsonObject } from "./json_schema.ts";
export type { Omitted } from "./packing/omitted.ts";

/** How schemas are packed. */
export interface PackOptions {
  /** Properties that do not travel this way. */
  readonly omitted?: Omitted;
  /** Most schema nodes; what lies beyond becomes `{}`, any value. @default 10,000 */
  readonly maxNodes?: number;
}

const DEFAULT_MAX_NODES = 10_000;
/** Most schemas within each other, references apart; deeper ones become `{}`. */
const MAX_DEPTH = 64;

/** Where a schema node stands. */
interface Around {
  readonly depth: number;
  /** Properties that a surrounding `allOf` omits. */
  readonly omitted: ReadonlySet<string>;
  /** The nodes of the same definition, in the order of their depth. */
  readonly queue: Task[];
}

/** A schema node whose output is still to be filled. */
interface Task extends Around {
  readonly source: JsonObject;
  readonly output: Record<string, unknown>;
}

/** Keywords that are commonly written with a boolean. */
const BOOLEAN_KEYWORDS = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

const NONE: ReadonlySet<string> = new Set();

/**
 * Packs schemas that share their definitions. Nothing of the input is changed or shared with the
 * output. The nodes nearest to what is packed come first, so that the bound cuts what lies
 * deepest; only what is reached is read.
 */
export class SchemaPacker {
  readonly #follow: FollowReference;
  readonly #omitted: OmittedProperties;
  readonly #maxNodes: number;
  readonly #names = new DefinitionNames();
  readonly #nameOf = new Map<object, string>();
  readonly #definitions = new Map<string, JsonObject>();
  /** Definitions that are referred to and not yet filled. */
  readonly #waiting: Task[] = [];
  #nodes = 0;
  #filled = 0;
  #isCut = false;

  /** Makes a packer for the schemas of one document. */
  constructor(follow: FollowReference, options: PackOptions = {}) {
    this.#follow = follow;
    this.#omitted = new OmittedProperties(follow, options.omitted);
    this.#maxNodes = options.maxNodes ?? DEFAULT_MAX_NODES;
  }

  /** One schema; its references point to `#/$defs/NAME`, see {@linkcode definitions}. */
  pack(schema: unknown): JsonObject {
    const queue: Task[] = [];
    const isKnown = isObject(schema) || schema === false;
    const packed = this.#child(isKnown ? schema : true, { queue, depth: 0, omitted: NONE });
    for (const task of queue) this.#fill(task);
    return packed;
  }

  /** All that the schemas packed so far refer to, by name. */
  get definitions(): Readonly<Record<string, JsonObject>> {
    this.#fillDefinitions();
    return Object.fromEntries(this.#definitions);
  }

  /** True when the bound left something out. */
  get isCut(): boolean {
    this.#fillDefinitions();
    return this.#isCut;
  }

  #fillDefinitions(): void {
    for (; this.#filled < this.#waiting.length; this.#filled++) {
      for (const task of this.#waiting[this.#filled]?.queue ?? []) this.#fill(task);
    }
  }

  /** Counts a node; false when there is no room for it. */
  #hasRoom(): boolean {
    const hasRoom = this.#nodes < this.#maxNodes;
    if (hasRoom) this.#nodes++;
    else this.#isCut = true;
    return hasRoom;
  }

  /** The output of a schema, which is filled when its turn comes. */
  #child(schema: ForeignSchema, around: Around): JsonObject {
    if (typeof schema === "boolean") return schema ? {} : { not: {} };
    const output = {};
    if (around.depth >= MAX_DEPTH) this.#isCut = true;
    else if (this.#hasRoom()) around.queue.push({ ...around, source: schema, output });
    return output;
  }

  #fill(task: Task): void {
    const { source, output } = task;
    const { node, reference } = this.#dereference(source);
    const keywords: Record<string, unknown> = {
      ...(reference === undefined ? {} : { $ref: reference }),
      ...node === source ? keywordsOf(source) : cleanKeywords(node),
    };
    this.#omitted.clean(keywords, source);
    const omitted = task.omitted.union(this.#omitted.namesIn(source));
    this.#putChildren(keywords, { ...task, source: node, omitted });
    Object.assign(output, orNull(node, keywords));
  }

  /** What stands beside a reference, and where its goal's definition is. */
  #dereference(source: JsonObject): { node: JsonObject; reference?: string } {
    if (typeof source["$ref"] !== "string") return { node: source };
    const { $ref: _, ...siblings } = source;
    const followed = this.#follow(source);
    if (followed === undefined || !isObject(followed.identity)) return { node: siblings };
    const goal = followed.identity;
    const node = Object.fromEntries(
      Object.entries(followed.value).filter(([name, value]) => goal[name] !== value),
    );
    const name = this.#define(goal, followed.name);
    return name === undefined ? { node } : { node, reference: `#/$defs/${name}` };
  }

  /** The name of a goal's definition; `undefined` when there is no room for a new one. */
  #define(goal: JsonObject, title: string | undefined): string | undefined {
    const known = this.#nameOf.get(goal);
    if (known !== undefined) return known;
    if (!this.#hasRoom()) return undefined;
    const task: Task = { source: goal, output: {}, depth: 0, omitted: NONE, queue: [] };
    task.queue.push(task);
    const name = this.#names.take(title);
    this.#nameOf.set(goal, name);
    this.#definitions.set(name, task.output);
    this.#waiting.push(task);
    return name;
  }

  /** Adds the keywords that hold schemas, and `required`, which properties may add to. */
  #putChildren(keywords: Record<string, unknown>, { source, omitted, ...around }: Task): void {
    const { single, lists, maps } = childrenOf(source, keywords);
    const within = { ...around, depth: around.depth + 1, omitted: NONE };
    const required = new Set([
      ...readNames(source["required"]),
      ...entriesOf(source["properties"]).filter(isRequired).map(([name]) => name),
    ].filter((name) => !omitted.has(name)));
    for (const [name, schemas] of maps) {
      const outputs = new Map<string, JsonObject>();
      // What must be there comes first, so that the bound does not cut it off.
      const isBounded = this.#nodes + schemas.size > this.#maxNodes;
      for (const [property, schema] of isBounded ? firstThose(schemas, required) : schemas) {
        const isOmitted = name === "properties" && this.#omitted.has(schema);
        const output = isOmitted ? this.#omitted.standIn : this.#child(schema, within);
        if (output !== undefined) outputs.set(property, output);
      }
      const inOrder = isBounded
        ? schemas.keys().filter((property) => outputs.has(property))
          .map((property) => [property, outputs.get(property)] as const)
        : outputs;
      if (outputs.size > 0) keywords[name] = Object.fromEntries(inOrder);
    }
    if (required.size > 0) keywords["required"] = [...required];
    for (const [name, schema] of single) {
      const isKept = typeof schema === "boolean" && BOOLEAN_KEYWORDS.has(name);
      keywords[name] = isKept ? schema : this.#child(schema, within);
    }
    for (const [name, schemas] of lists) {
      const place = name === "allOf" ? { ...within, omitted } : within;
      keywords[name] = schemas.map((schema) => this.#child(schema, place));
    }
  }
}

/** What was cleaned already: the schemas of a document's methods have most of their nodes in common. */
const cleaned = new WeakMap<JsonObject, JsonObject>();

function keywordsOf(node: JsonObject): JsonObject {
  const known = cleaned.get(node) ?? cleanKeywords(node);
  cleaned.set(node, known);
  return known;
}

/** True for a property that says itself that it must be there, as draft 3 has it. */
function isRequired([, schema]: readonly [string, unknown]): boolean {
  return isObject(schema) && isTrue(schema["required"]);
}

function firstThose<T>(
  members: Iterable<readonly [string, T]>,
  names: ReadonlySet<string>,
): (readonly [string, T])[] {
  const { first = [], others = [] } = Object.groupBy(
    members,
    ([name]) => names.has(name) ? "first" : "others",
  );
  return [...first, ...others];
}
