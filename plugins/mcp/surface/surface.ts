/**
 * All that one server offers.
 *
 * @module
 */
import type { Diagnostic } from "../../../lib/protocol/mod.ts";
import { cleanLine } from "../../../lib/schema/clean_text.ts";
import type { JsonObject } from "../../../lib/schema/json_schema.ts";
import type { Asker, Connection } from "../client/connection.ts";
import { headerParametersOf } from "../../../lib/protocol/mcp_wire/header_parameters.ts";
import { type ListKind, LISTS, readList, reasonOf } from "../client/lists.ts";
import {
  type Item,
  type Prompt,
  readPrompt,
  readResource,
  readTool,
  type Resource,
  type Tool,
} from "./items.ts";

const MAX_NOTE_LENGTH = 300;

/** What a server offers, and what is wrong with it. */
export interface Surface {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly templates: readonly Resource[];
  readonly prompts: readonly Prompt[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Asks a server for all that it says it has. A list that fails is told of and hides no other.
 *
 * @throws as `Connection.facts` does.
 */
export async function readSurface(connection: Connection, asker: Asker): Promise<Surface> {
  await connection.facts(asker);
  const diagnostics: Diagnostic[] = [];
  const read = async <T extends Item>(
    kind: ListKind,
    readOne: (item: JsonObject) => T | undefined,
  ): Promise<T[]> => {
    try {
      const { items, fault } = await readList(connection, kind, asker);
      if (fault !== undefined) diagnostics.push({ severity: "fault", message: fault });
      return distinct(items.flatMap((item) => readOne(item) ?? []), { kind, items, diagnostics });
    } catch (error) {
      if (asker.context.signal.aborted) throw error;
      const message = `${kind.method} failed: ${reasonOf(error)}`;
      diagnostics.push({ severity: "fault", message });
      return [];
    }
  };
  const [tools, resources, templates, prompts] = await Promise.all([
    read(LISTS.tools, readTool),
    read(LISTS.resources, readResource("uri")),
    read(LISTS.templates, readResource("uriTemplate")),
    read(LISTS.prompts, readPrompt),
  ]);
  const usable = connection.isHttp ? withSoundHeaders(tools, diagnostics) : tools;
  return { tools: usable, resources, templates, prompts, diagnostics };
}

/** The first item of each name; the others could not be asked for. */
function distinct<T extends Item>(
  read: readonly T[],
  { kind, items, diagnostics }: {
    kind: ListKind;
    items: readonly JsonObject[];
    diagnostics: Diagnostic[];
  },
): T[] {
  const byName = new Map<string, T>();
  for (const item of read) if (!byName.has(item.name)) byName.set(item.name, item);
  const lost = items.length - byName.size;
  if (lost > 0) {
    const message = `${kind.method}: ${lost} of ${items.length} have no name, ` +
      "one that cannot be seen whole, or that of another";
    diagnostics.push({ severity: "fault", message });
  }
  return [...byName.values()];
}

/** Over HTTP, a tool whose header fields are not sound must not be used (MCP 2026-07-28). */
function withSoundHeaders(tools: readonly Tool[], diagnostics: Diagnostic[]): Tool[] {
  return tools.filter(({ name, inputSchema }) => {
    const found = headerParametersOf(inputSchema);
    if (!("fault" in found)) return true;
    const message = cleanLine(`the tool "${name}" is left out: ${found.fault}`, MAX_NOTE_LENGTH);
    diagnostics.push({ severity: "note", message });
    return false;
  });
}
