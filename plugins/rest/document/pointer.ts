/**
 * References within documents: which document, and which node in it.
 *
 * @module
 */
import { pointerTokens } from "../../../lib/schema/json_pointer.ts";
import { isObject, type JsonObject } from "./json.ts";

/** Where a reference leads. */
export interface Place {
  /** URL of the document, without fragment. */
  readonly place: string;
  /** Behind the `#`, as written. */
  readonly fragment: string;
}

// Where Swagger 2 keeps what OpenAPI 3 keeps under `components`.
const MOVED: Readonly<Record<string, string>> = {
  definitions: "schemas",
  parameters: "parameters",
  responses: "responses",
};

/** Splits a reference, resolved against the URL of the document that it stands in. */
export function splitReference(reference: string, documentUrl: string): Place {
  const mark = reference.indexOf("#");
  const address = mark === -1 ? reference : reference.slice(0, mark);
  return {
    place: address === "" ? documentUrl : URL.parse(address, documentUrl)?.href ?? address,
    fragment: mark === -1 ? "" : reference.slice(mark + 1),
  };
}

/**
 * The node at a fragment: a JSON pointer (RFC 6901, section 6), or the name of an `$anchor`.
 *
 * @param follow leads on where a pointer passes through a node with a `$ref`.
 * @returns `undefined` when there is none.
 */
export function nodeAt(
  root: unknown,
  fragment: string,
  follow: (node: JsonObject) => unknown,
): unknown {
  if (fragment === "") return root;
  if (!fragment.startsWith("/")) return findAnchor(root, fragment);
  const tokens = pointerTokens(fragment);
  const node = walk(root, tokens, follow);
  const [first = "", ...others] = tokens;
  const group = Object.hasOwn(MOVED, first) ? MOVED[first] : undefined;
  // Another document may still name a place of the Swagger 2 document that this one was.
  return node === undefined && group !== undefined
    ? walk(root, ["components", group, ...others], follow)
    : node;
}

function walk(
  root: unknown,
  tokens: readonly string[],
  follow: (node: JsonObject) => unknown,
): unknown {
  let node = root;
  for (const token of tokens) {
    const holder = isObject(node) && !Object.hasOwn(node, token) && "$ref" in node
      ? follow(node)
      : node;
    if (typeof holder !== "object" || holder === null) return undefined;
    node = Object.getOwnPropertyDescriptor(holder, token)?.value;
  }
  return node;
}

/** Named schemas by document, gathered when the first of them is asked for. */
const anchorsOf = new WeakMap<object, Map<string, unknown>>();

/** The schema with an `$anchor` (JSON Schema 2020-12, core, 8.2.2). */
function findAnchor(root: unknown, name: string): unknown {
  if (typeof root !== "object" || root === null) return undefined;
  const known = anchorsOf.get(root);
  if (known !== undefined) return known.get(name);
  const anchors = new Map<string, unknown>();
  gatherAnchors(root, anchors);
  anchorsOf.set(root, anchors);
  return anchors.get(name);
}

function gatherAnchors(node: object, anchors: Map<string, unknown>): void {
  for (const [key, member] of Object.entries(node)) {
    if (typeof member === "object" && member !== null) gatherAnchors(member, anchors);
    else if (/^\$(?:dynamicA|a)nchor$/.test(key) && typeof member === "string") {
      anchors.set(member, node);
    }
  }
}
