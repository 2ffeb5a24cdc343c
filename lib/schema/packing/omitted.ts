/**
 * Properties that do not travel one way: read-only ones in what is sent, write-only ones in
 * answers.
 *
 * @module
 */
import {
  entriesOf,
  type FollowReference,
  isObject,
  type JsonObject,
  listOf,
} from "../json_schema.ts";

/** What becomes of properties that are flagged, at their own node or at the goal of its `$ref`. */
export interface Omitted {
  /** The keyword that is `true` for them. */
  readonly flag: "readOnly" | "writeOnly";
  /** Left out of `properties`, or kept there as something that no value satisfies. */
  readonly as: "absent" | "refused";
}

const NONE: ReadonlySet<string> = new Set();

/** Finds the flagged properties of schema nodes. */
export class OmittedProperties {
  readonly #follow: FollowReference;
  readonly #omitted: Omitted | undefined;
  readonly #known = new WeakMap<object, ReadonlySet<string>>();

  constructor(follow: FollowReference, omitted: Omitted | undefined) {
    this.#follow = follow;
    this.#omitted = omitted;
  }

  /** True for the schema of a property that is flagged. */
  has(property: unknown): boolean {
    return this.#omitted !== undefined && this.#value(property)?.[this.#omitted.flag] === true;
  }

  /** What stands for a flagged property; `undefined` for nothing. */
  get standIn(): JsonObject | undefined {
    return this.#omitted?.as === "refused" ? { [this.#omitted.flag]: true, not: {} } : undefined;
  }

  /** The flagged properties of a node and of all that its `allOf` joins: none is required. */
  namesIn(node: JsonObject): ReadonlySet<string> {
    return this.#omitted === undefined ? NONE : this.#collect(node);
  }

  #collect(node: JsonObject): ReadonlySet<string> {
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    this.#known.set(node, NONE); // ends circles
    const own = entriesOf(node["properties"]).filter(([, property]) => this.has(property));
    const goal = typeof node["$ref"] === "string" ? this.#follow(node)?.identity : undefined;
    const joined = [goal, ...listOf(node["allOf"])].filter(isObject).map((part) =>
      this.#collect(part)
    );
    const names = new Set([...own.map(([name]) => name), ...joined.flatMap((set) => [...set])]);
    this.#known.set(node, names);
    return names;
  }

  #value(property: unknown): JsonObject | undefined {
    if (!isObject(property)) return undefined;
    return typeof property["$ref"] === "string" ? this.#follow(property)?.value : property;
  }
}
