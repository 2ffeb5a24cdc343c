/**
 * `$ref`, followed when something is read and not before: a whole document written out can be
 * many times its size, or endless.
 *
 * @module
 */
import { isObject, type JsonObject, textOf } from "./json.ts";

/** A node after its references were followed. */
export interface Resolved {
  /** The node; keywords beside a `$ref` override those of its goal (OpenAPI 3.1). */
  readonly value: JsonObject;
  /** The goal itself: the same object for every reference to it. */
  readonly identity: JsonObject;
  /** Last segment of the reference, which is the component's name. */
  readonly name: string | undefined;
}

/** Longest chain of references that is followed. */
const MAX_HOPS = 32;

/** Follows the references of one document. */
export class References {
  readonly #root: JsonObject;
  readonly #dangling = new Set<string>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** References met so far that lead nowhere in this document. */
  get dangling(): readonly string[] {
    return [...this.#dangling];
  }

  /** Follows a node's `$ref`, if it has one; `undefined` when there is no object at its end. */
  resolve(node: unknown): Resolved | undefined {
    let goal = node;
    let siblings: JsonObject = {};
    let reference: string | undefined;
    for (let hop = 0; hop < MAX_HOPS && isObject(goal); hop++) {
      const { $ref, ...others } = goal;
      const next = textOf($ref);
      if (next === undefined) return found(goal, siblings, reference);
      reference = next;
      siblings = { ...others, ...siblings };
      goal = this.#at(next);
    }
    if (reference !== undefined) this.#dangling.add(reference);
    return undefined;
  }

  /** The node at a JSON pointer in a URL fragment (RFC 6901, section 6). */
  #at(reference: string): unknown {
    if (reference === "#") return this.#root;
    if (!reference.startsWith("#/")) return undefined;
    let node: unknown = this.#root;
    for (const token of reference.slice(2).split("/")) {
      if (typeof node !== "object" || node === null) return undefined;
      const key = decode(token).replaceAll("~1", "/").replaceAll("~0", "~");
      node = Object.getOwnPropertyDescriptor(node, key)?.value;
    }
    return node;
  }
}

function found(goal: JsonObject, siblings: JsonObject, reference: string | undefined): Resolved {
  const isPlain = Object.keys(siblings).length === 0;
  return {
    value: isPlain ? goal : { ...goal, ...siblings },
    identity: goal,
    name: reference === undefined
      ? undefined
      : decode(reference.slice(reference.lastIndexOf("/") + 1)),
  };
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
