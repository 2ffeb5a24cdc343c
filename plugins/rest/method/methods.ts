/**
 * The methods of a document: which there are and what they are called.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { entriesOf, isObject, type JsonObject, listOf, textOf } from "../document/json.ts";
import type { References } from "../document/references.ts";

/** A method's place in its document. */
export interface MethodEntry {
  /** Name of the service it belongs to: its first tag. */
  readonly service: string;
  /** Unique within the service. */
  readonly name: string;
  /** `GET /pets/{id}`. */
  readonly fullName: string;
  /** Upper case. */
  readonly verb: string;
  /** The path template as written. */
  readonly path: string;
  /** The Operation Object. */
  readonly operation: JsonObject;
  /** The Path Item Object around it, whose parameters and servers are inherited. */
  readonly pathItem: JsonObject;
}

/** Longest name that is shown, in UTF-16 units. */
export const MAX_NAME_LENGTH = 256;

/** Name of the service of methods without a tag. */
export const DEFAULT_SERVICE = "Default";

// TRACE is left out: fetch refuses to send it.
const VERBS = ["get", "put", "post", "delete", "options", "head", "patch", "query"];

/** Lists the methods in the order of the document. */
export function listMethods(root: JsonObject, references: References): MethodEntry[] {
  const methods: MethodEntry[] = [];
  const uses = new Map<string, number>();
  for (const [path, item] of entriesOf(root["paths"])) {
    const pathItem = references.resolve(item)?.value;
    if (pathItem === undefined || path.startsWith("x-")) continue;
    for (const [verb, operation] of Object.entries(pathItem)) {
      if (!VERBS.includes(verb) || !isObject(operation)) continue;
      const service = cleanLine(textOf(listOf(operation["tags"])[0]) ?? "", MAX_NAME_LENGTH) ||
        DEFAULT_SERVICE;
      methods.push({
        service,
        name: pickName(service, nameOf(operation, verb, path), { verb, uses }),
        fullName: `${verb.toUpperCase()} ${cleanLine(path, MAX_NAME_LENGTH)}`,
        verb: verb.toUpperCase(),
        path,
        operation,
        pathItem,
      });
    }
  }
  return methods;
}

function nameOf(operation: JsonObject, verb: string, path: string): string {
  return cleanLine(textOf(operation["operationId"]) ?? "", MAX_NAME_LENGTH) ||
    `${verb}${path}`.replace(/[^A-Za-z0-9]/g, "_").slice(0, MAX_NAME_LENGTH);
}

/** The first of a service's methods keeps a shared name, later ones get the verb, then a number. */
function pickName(
  service: string,
  wanted: string,
  { verb, uses }: { verb: string; uses: Map<string, number> },
): string {
  const keyOf = (name: string) => `${service}\n${name}`;
  const base = `${wanted}_${verb}`;
  let name = uses.has(keyOf(wanted)) ? base : wanted;
  // The last number is kept, so that a thousand namesakes need no thousand tries each.
  let number = uses.get(keyOf(base)) ?? 1;
  while (uses.has(keyOf(name))) name = `${base}_${++number}`;
  if (number > 1) uses.set(keyOf(base), number);
  uses.set(keyOf(name), 1);
  return name;
}
