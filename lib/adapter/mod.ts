/**
 * Any API as an MCP server.
 *
 * @module
 */
export type { Adapter, Rediscovery } from "./adapter.ts";
export { createAdapter } from "./create_adapter.ts";
export type { MethodFilter } from "./reading/filters.ts";
export { type AdapterOptions, NAME_LIMITS, type ToolBudget, type ToolsMode } from "./options.ts";
export type { Missed } from "./reading/read_all.ts";
export type { LeftOut } from "./reading/read_url.ts";
export type { Figures } from "./tools/view.ts";
