/**
 * The wire: MCP over stdio and streamable HTTP. Knows MCP, not Bowire.
 *
 * @module
 */
export type {
  Answer,
  Catalogue,
  ContentOutcome,
  DataOutcome,
  ListName,
  ObjectSchema,
  Question,
  QuestionOutcome,
  ServerIdentity,
  ToolAnnotations,
  ToolCall,
  ToolDescription,
  ToolOutcome,
} from "./catalogue.ts";
export type {
  ContentBlock,
  Prompt,
  PromptArgument,
  PromptDescription,
  PromptMessage,
  Prompts,
  ResourceContents,
  ResourceDescription,
  Resources,
} from "./content.ts";
export { type ConnectOptions } from "./connect.ts";
export type { BodyLimits } from "./http/body.ts";
export { createEndpoint, type Endpoint, type EndpointOptions, type HttpCaller } from "./http.ts";
export { isSameName, type ToolNameStyle } from "./names.ts";
export { serveStreams } from "./stdio.ts";
