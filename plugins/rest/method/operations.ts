/**
 * The operations of a document: those that are called, and those that the target calls.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { entriesOf, isObject, type JsonObject, textOf } from "../document/json.ts";
import type { References } from "../document/references.ts";

/** One operation. */
export interface Operation {
  /** Upper case. */
  readonly verb: string;
  /** The path template as written; of what the target calls, the name or the URL template. */
  readonly path: string;
  /** The Operation Object. */
  readonly operation: JsonObject;
  /** The Path Item Object around it, whose parameters and servers are inherited. */
  readonly pathItem: JsonObject;
  /** What the target calls at a URL of its client is one of these. */
  readonly incoming: "webhook" | "callback" | undefined;
}

/** What cannot be called, and why. */
export interface LeftOut {
  readonly what: string;
  readonly reason: string;
}

/** The operations of a document, and what is none. */
export interface Operations {
  readonly operations: Operation[];
  readonly leftOut: LeftOut[];
}

const VERBS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
// "If method is CONNECT, TRACE or TRACK" a request cannot be made (Fetch standard, 2.2.1).
const FORBIDDEN_VERBS = ["CONNECT", "TRACE", "TRACK"];
/** Most callbacks that are listed. */
const MAX_CALLBACKS = 1000;

/** Finds all operations in the order of the document; webhooks and callbacks come last. */
export function findOperations(root: JsonObject, references: References): Operations {
  const found: Operations = { operations: [], leftOut: [] };
  for (const [path, item] of entriesOf(references.resolve(root["paths"])?.value)) {
    if (!path.startsWith("x-")) addPathItem(found, { path, item, incoming: undefined }, references);
  }
  const called = found.operations.slice();
  for (const [path, item] of entriesOf(root["webhooks"])) {
    addPathItem(found, { path, item, incoming: "webhook" }, references);
  }
  for (const { operation } of called) {
    if (found.operations.length - called.length >= MAX_CALLBACKS) break;
    for (const [name, node] of entriesOf(operation["callbacks"])) {
      for (const [url, item] of entriesOf(references.resolve(node)?.value)) {
        addPathItem(found, { path: `${name} ${url}`, item, incoming: "callback" }, references);
      }
    }
  }
  return found;
}

function addPathItem(
  { operations, leftOut }: Operations,
  { path, item, incoming }: Pick<Operation, "path" | "incoming"> & { item: unknown },
  references: References,
): void {
  const leave = (what: string, reason: string) =>
    leftOut.push({ what: cleanLine(what, 300), reason });
  const pathItem = references.resolve(item)?.value;
  if (pathItem === undefined) {
    leave(path, whyNone(item));
    return;
  }
  const named = Object.entries(pathItem).filter(([verb]) => VERBS.includes(verb));
  // Since OpenAPI 3.2: methods that have no member of their own, spelt as they are sent.
  const others = entriesOf(pathItem["additionalOperations"]);
  for (const [name, node] of [...named, ...others]) {
    const verb = VERBS.includes(name) ? name.toUpperCase() : name;
    // Only authors of documents in parts refer to operations; the specification does not.
    const operation = references.resolve(node)?.value;
    if (operation === undefined) leave(`${verb} ${path}`, whyNone(node));
    else if (FORBIDDEN_VERBS.includes(verb.toUpperCase())) {
      leave(`${verb} ${path}`, `HTTP clients on the web platform do not send ${verb}`);
    } else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(verb)) {
      leave(`${verb} ${path}`, "its verb is no HTTP token");
    } else operations.push({ verb, path, operation, pathItem, incoming });
  }
}

function whyNone(node: unknown): string {
  const goal = isObject(node) ? textOf(node["$ref"]) : undefined;
  return goal === undefined ? "it is not an object" : `"${cleanLine(goal, 300)}" leads nowhere`;
}
