/**
 * What a server lists: all pages of it.
 *
 * @module
 */
import { messageOf } from "../../../lib/errors/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, listOf } from "../../../lib/schema/json_schema.ts";
import type { Asker, Connection } from "./connection.ts";
import { RpcFailure } from "./failure.ts";

/** Most pages, and most items, of one list. */
const MAX_PAGES = 1000;
const MAX_ITEMS = 20_000;
const MAX_REASON_LENGTH = 300;

/** A list, and why it may lack something. */
export interface Listed {
  readonly items: readonly JsonObject[];
  readonly fault?: string;
}

/** One of the lists that servers have. */
export interface ListKind {
  /** The request. */
  readonly method: string;
  /** The member of the result that holds the items. */
  readonly member: string;
  /** The capability by which a server says that it has the list. */
  readonly capability: string;
}

/** The lists of MCP. */
export const LISTS = {
  tools: { method: "tools/list", member: "tools", capability: "tools" },
  resources: { method: "resources/list", member: "resources", capability: "resources" },
  templates: {
    method: "resources/templates/list",
    member: "resourceTemplates",
    capability: "resources",
  },
  prompts: { method: "prompts/list", member: "prompts", capability: "prompts" },
} as const satisfies Record<string, ListKind>;

/**
 * Reads a list to its end; empty when the server does not say that it has one, or does not know it.
 *
 * @throws as `Connection.request` does, before the first page.
 */
export async function readList(
  connection: Connection,
  { method, member, capability }: ListKind,
  asker: Asker,
): Promise<Listed> {
  const { capabilities } = await connection.facts(asker);
  if (capabilities[capability] === undefined) return { items: [] };
  const items: JsonObject[] = [];
  const cursors = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
    const params = cursor === undefined ? {} : { cursor };
    let result: JsonObject;
    try {
      result = await connection.request({ method, params }, asker);
    } catch (error) {
      if (error instanceof RpcFailure && error.isUnknownMethod) return { items };
      if (page === 0) throw error;
      return { items, fault: `${method} failed at page ${page + 1}: ${reasonOf(error)}` };
    }
    // What is no object has no name, and is told like others that have none.
    items.push(...listOf(result[member]).map((item) => isObject(item) ? item : {}));
    cursor = result["nextCursor"];
    if (typeof cursor !== "string") return { items };
    if (cursors.has(cursor)) return { items, fault: `${method} gave the same cursor twice` };
    cursors.add(cursor);
  }
  return { items, fault: `${method} has more than ${items.length} items: the rest is left out` };
}

/** Why a list, or a page of it, could not be read; it may be text of the server. */
export function reasonOf(error: unknown): string {
  return cleanLine(messageOf(error), MAX_REASON_LENGTH);
}
