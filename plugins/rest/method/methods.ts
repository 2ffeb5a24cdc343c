/**
 * The methods of a document: which there are and what they are called.
 *
 * @module
 */
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { MAX_NAME_LENGTH } from "../../../lib/schema/messages/limits.ts";
import { type JsonObject, listOf, textOf } from "../document/json.ts";
import type { References } from "../document/references.ts";
import { findOperations, type LeftOut, type Operation } from "./operations.ts";

/** A method's place in its document. */
export interface MethodEntry extends Operation {
  /** Name of the service it belongs to: its first tag. */
  readonly service: string;
  /** Unique within the service. */
  readonly name: string;
  /** `GET /pets/{id}`. */
  readonly fullName: string;
}

/** The methods of a document, and what has become none. */
export interface MethodList {
  /** In the order of the document. */
  readonly methods: readonly MethodEntry[];
  readonly leftOut: readonly LeftOut[];
}

/** Name of the service of methods without a tag. */
export const DEFAULT_SERVICE = "Default";

/** Names of the services of what the target calls. */
const INCOMING_SERVICES = { webhook: "Webhooks", callback: "Callbacks" } as const;

/** Lists the methods in the order of the document, webhooks and callbacks last. */
export function listMethods(root: JsonObject, references: References): MethodList {
  const { operations, leftOut } = findOperations(root, references);
  const uses = new Map<string, number>();
  const methods = operations.map((found): MethodEntry => {
    const { operation, verb, path, incoming } = found;
    const service = incoming === undefined ? serviceOf(operation) : INCOMING_SERVICES[incoming];
    const prefix = incoming === undefined ? "" : `${incoming.toUpperCase()} `;
    return {
      ...found,
      service,
      name: pickName(service, nameOf(found), { verb: verb.toLowerCase(), uses }),
      fullName: `${prefix}${verb} ${cleanLine(path, MAX_NAME_LENGTH)}`,
    };
  });
  return { methods, leftOut };
}

function serviceOf(operation: JsonObject): string {
  return cleanLine(textOf(listOf(operation["tags"])[0]) ?? "", MAX_NAME_LENGTH) ||
    DEFAULT_SERVICE;
}

function nameOf({ operation, verb, path, incoming }: Operation): string {
  const given = cleanLine(textOf(operation["operationId"]) ?? "", MAX_NAME_LENGTH);
  if (given !== "") return given;
  const made = incoming === undefined ? `${verb.toLowerCase()}${path}` : path;
  return made.replace(/[^A-Za-z0-9]/g, "_").slice(0, MAX_NAME_LENGTH);
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
