/**
 * Catalogue 1: what Bowire offers an agent.
 *
 * @module
 */
import type { Host } from "../host/mod.ts";
import type { Catalogue } from "../mcp/mod.ts";
import { isSameName } from "../mcp/names.ts"; // without the transports, which take long to load
import { runTool } from "./run_tool.ts";
import type { Tool } from "./tool.ts";
import { allowlistPermit, allowlistShow } from "./tools/allowlist.ts";
import { environmentGet, environmentList } from "./tools/environments.ts";
import { discoverTool } from "./tools/discover.ts";
import { invokeTool } from "./tools/invoke.ts";
import { schemaAdd, schemaList, schemaRemove } from "./tools/schema.ts";
import { subscribeTool } from "./tools/subscribe.ts";

/** Every tool, in the order of the list. */
export const tools: readonly Tool[] = [
  discoverTool,
  invokeTool,
  subscribeTool,
  schemaAdd,
  schemaList,
  schemaRemove,
  environmentList,
  environmentGet,
  allowlistShow,
  allowlistPermit,
];

const INSTRUCTIONS =
  "Bowire explores and calls APIs. Start with bowire.discover on a URL to see services, " +
  "methods and their fields, then bowire.invoke, or bowire.subscribe for a method that streams. " +
  "Only URLs on the allowlist can be reached: " +
  "bowire.allowlist.show lists them, bowire.allowlist.permit adds one after the user agreed. " +
  "A failed call has isError and says in error.hint what to do next.";

/** Bowire's own tools over a host. */
export function createServerCatalogue(host: Host): Catalogue {
  return {
    identity: {
      name: host.options.serverName,
      title: "Bowire",
      version: host.options.serverVersion,
      instructions: INSTRUCTIONS,
    },
    listTools: () => tools.map((tool) => tool.description),
    async callTool(call) {
      const tool = tools.find(({ description }) => isSameName(call.name, description.name));
      return tool === undefined ? undefined : await runTool(host, tool, call);
    },
  };
}
