/**
 * `$ref`, followed when something is read and not before: a whole document written out can be
 * many times its size, or endless.
 *
 * @module
 */
import { isObject, type JsonObject, textOf } from "./json.ts";
import { nodeAt, splitReference } from "./pointer.ts";

/** A node after its references were followed. */
export interface Resolved {
  /** The node; keywords beside a `$ref` override those of its goal (OpenAPI 3.1). */
  readonly value: JsonObject;
  /** The goal itself: the same object for every reference to it. */
  readonly identity: JsonObject;
  /** Last segment of the reference, which is the component's name. */
  readonly name: string | undefined;
}

/** The other documents that a document refers to. */
export interface Parts {
  /** By URL without fragment. The references in them are absolute. */
  readonly roots: ReadonlyMap<string, unknown>;
  /** Why a part could not be read, by URL. */
  readonly failures: ReadonlyMap<string, string>;
}

/** A document that stands alone. */
export const NO_PARTS: Parts = { roots: new Map(), failures: new Map() };

/** Longest chain of references that is followed. */
const MAX_HOPS = 32;

/** Follows the references of one document and its parts. */
export class References {
  readonly #root: JsonObject;
  readonly #url: string;
  readonly #parts: Parts;
  /** Goals by reference: each is looked for once, or passages could multiply without end. */
  readonly #goals = new Map<string, unknown>();
  /** Pointers within pointers that are being followed. */
  #passing = 0;
  readonly #dangling = new Map<string, string | undefined>();

  /** @param url the document's, against which references are resolved (RFC 3986, 5.1). */
  constructor(root: JsonObject, url: string, parts: Parts) {
    this.#root = root;
    this.#url = url;
    this.#parts = parts;
  }

  /** References met so far that lead nowhere, with the reason where there is one. */
  get dangling(): readonly string[] {
    return [...this.#dangling].map(([reference, reason]) =>
      reason === undefined ? reference : `${reference}: ${reason}`
    );
  }

  /** Follows a node's `$ref`, if it has one; `undefined` when there is no object at its end. */
  resolve(node: unknown): Resolved | undefined {
    let goal = node;
    let siblings: JsonObject = {};
    let reference: string | undefined;
    for (let hop = 0; hop < MAX_HOPS && isObject(goal); hop++) {
      const next = textOf(goal["$ref"]);
      if (next === undefined) return found(goal, siblings, reference);
      const { $ref: _$ref, ...others } = goal;
      reference = next;
      siblings = { ...others, ...siblings };
      goal = this.#at(next);
    }
    if (reference !== undefined) this.#dangling.set(reference, this.#failureOf(reference));
    return undefined;
  }

  #at(reference: string): unknown {
    if (this.#goals.has(reference)) return this.#goals.get(reference);
    // Known before it is found out: a reference on the way to itself leads nowhere.
    this.#goals.set(reference, undefined);
    const { place, fragment } = splitReference(reference, this.#url);
    const root = place === this.#url ? this.#root : this.#parts.roots.get(place);
    const goal = root === undefined
      ? undefined
      : nodeAt(root, fragment, (node) => this.#pass(node));
    this.#goals.set(reference, goal);
    return goal;
  }

  /** The goal of a reference in the middle of a pointer. */
  #pass(node: JsonObject): unknown {
    if (this.#passing >= MAX_HOPS) return undefined;
    this.#passing++;
    try {
      return this.resolve(node)?.value;
    } finally {
      this.#passing--;
    }
  }

  #failureOf(reference: string): string | undefined {
    return this.#parts.failures.get(splitReference(reference, this.#url).place);
  }
}

function found(goal: JsonObject, siblings: JsonObject, reference: string | undefined): Resolved {
  const isPlain = Object.keys(siblings).length === 0;
  return {
    value: isPlain ? goal : { ...goal, ...siblings },
    identity: goal,
    name: reference === undefined ? undefined : nameIn(reference),
  };
}

/** The last segment of a reference, decoded. */
function nameIn(reference: string): string {
  const name = reference.slice(
    Math.max(reference.lastIndexOf("/"), reference.lastIndexOf("#")) + 1,
  );
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
