/**
 * The wire: MCP over stdio and streamable HTTP. Knows MCP, not Bowire.
 *
 * @module
 */
export type {
  Answer,
  Catalogue,
  ObjectSchema,
  Question,
  ServerIdentity,
  ToolAnnotations,
  ToolCall,
  ToolDescription,
  ToolOutcome,
} from "./catalogue.ts";
export { type ConnectOptions } from "./connect.ts";
export { createEndpoint, type Endpoint, type EndpointOptions, type HttpCaller } from "./http.ts";
export { isSameName, type ToolNameStyle } from "./names.ts";
export { serveStreams } from "./stdio.ts";
