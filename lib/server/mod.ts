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
export { subscribeTool } from "./tools/subscribe.ts";
export { callArguments, requestOf } from "./call_shapes.ts";
export {
  CALL_SLACK_MS,
  readStream,
  type StreamReader,
  type StreamReading,
  textOf,
  viewEnd,
} from "./read_stream.ts";
export { schemaAdd, schemaList, schemaRemove } from "./tools/schema.ts";
export { readSchemaFiles, type SchemaFiles } from "./schema_files.ts";
export { runTool } from "./run_tool.ts";
export type { Access, Tool } from "./tool.ts";
