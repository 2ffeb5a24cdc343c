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
  joinedNodes,
  type JsonObject,
  listOf,
  memberOf,
} from "../json_schema.ts";

/** What becomes of properties that are flagged, at their own node or at the goal of its `$ref`. */
export interface Omitted {
  /** The keyword that is `true` for them. */
  readonly flag: "readOnly" | "writeOnly";
  /** Left out of `properties`, or kept there as something that no value satisfies. */
  readonly as: "absent" | "refused";
}

/** Most nodes that are looked into for one value of an example. */
const MAX_NODES = 100;

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

  /** Leaves flagged members out of the author's examples and default of a node. */
  clean(keywords: Record<string, unknown>, node: JsonObject): void {
    if (this.#omitted?.as !== "absent") return;
    if (Array.isArray(keywords["examples"])) {
      keywords["examples"] = keywords["examples"].map((example) => this.#strip(example, [node]));
    }
    if (keywords["default"] !== undefined) {
      keywords["default"] = this.#strip(keywords["default"], [node]);
    }
  }

  #strip(value: unknown, schemas: readonly unknown[]): unknown {
    if (typeof value !== "object" || value === null) return value;
    const nodes = joinedNodes(schemas, (node) => this.#follow(node)?.identity, MAX_NODES);
    if (Array.isArray(value)) {
      return value.map((item) => this.#strip(item, nodes.map(({ items }) => items)));
    }
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, member]) => {
        const properties = nodes.map(({ properties }) =>
          isObject(properties) ? memberOf(properties, name) : undefined
        );
        const isFlagged = properties.some((property) => this.has(property));
        return isFlagged ? [] : [[name, this.#strip(member, properties)]];
      }),
    );
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
