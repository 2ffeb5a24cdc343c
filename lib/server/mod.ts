/**
 * Bowire as tools.
 *
 * @module
 */
export { createServerCatalogue, tools } from "./catalogue.ts";
export { allowlistPermit, allowlistShow } from "./tools/allowlist.ts";
export { discoverTool } from "./tools/discover.ts";
export { environmentGet, environmentList } from "./tools/environments.ts";
export { invokeTool } from "./tools/invoke.ts";
export { runTool } from "./run_tool.ts";
export type { Access, Tool } from "./tool.ts";
