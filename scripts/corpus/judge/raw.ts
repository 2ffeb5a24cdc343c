/**
 * A document as it stands on disk: its members, its references and its operations.
 *
 * @module
 */

/** A JSON object. */
export type RawObject = Readonly<Record<string, unknown>>;

/** One operation as the document writes it. */
export interface RawOperation {
  /** Upper case. */
  readonly verb: string;
  /** The key below `paths`. */
  readonly path: string;
  readonly operation: RawObject;
  readonly pathItem: RawObject;
  /** True when the path item stands elsewhere and is referred to. */
  readonly isReferred: boolean;
}

const VERBS = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);
/** Longest chain of references; the longest seen is 3. */
const MAX_HOPS = 20;

/** True for a JSON object; instances of classes are none. */
export function isRawObject(value: unknown): value is RawObject {
  return typeof value === "object" && value !== null &&
    Object.getPrototypeOf(value) === Object.prototype;
}

/** A member that is an object; an empty one for anything else. */
export function objectAt(value: unknown, ...names: readonly string[]): RawObject {
  let node = value;
  for (const name of names) node = isRawObject(node) ? node[name] : undefined;
  return isRawObject(node) ? node : {};
}

/** A list; an empty one for anything else. */
export function listAt(value: unknown, name: string): readonly unknown[] {
  const list = isRawObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** Follows the `$ref` of a node within its document; `undefined` when it leads nowhere. */
export function follow(root: RawObject, node: unknown): unknown {
  let goal = node;
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    if (!isRawObject(goal) || typeof goal["$ref"] !== "string") return goal;
    goal = pointed(root, goal["$ref"]);
  }
  return undefined;
}

/** What a reference points at (RFC 6901 in a fragment). */
export function pointed(root: RawObject, reference: string): unknown {
  const [file, pointer = ""] = reference.split("#", 2);
  if (file !== "") return undefined;
  let node: unknown = root;
  for (const token of pointer.split("/").slice(1)) {
    const key = unescape(token);
    if (Array.isArray(node)) node = node[Number(key)];
    else node = isRawObject(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  }
  return node;
}

function unescape(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // A lone percent sign is meant as one.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** All operations below `paths`, in the document's order. */
export function operationsOf(root: RawObject): RawOperation[] {
  const found: RawOperation[] = [];
  for (const [path, item] of Object.entries(objectAt(root, "paths"))) {
    if (path.startsWith("x-")) continue;
    const pathItem = follow(root, item);
    if (!isRawObject(pathItem)) continue;
    for (const [name, operation] of Object.entries(pathItem)) {
      if (!VERBS.has(name) || !isRawObject(operation)) continue;
      const isReferred = pathItem !== item;
      found.push({ verb: name.toUpperCase(), path, operation, pathItem, isReferred });
    }
  }
  return found;
}
