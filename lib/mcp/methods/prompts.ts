/**
 * The methods of MCP that list and fill in prompts.
 *
 * @module
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import type { Prompts } from "../content.ts";
import { type FailureOptions, orProtocolError } from "./failures.ts";
import { pageOf } from "./pages.ts";

const LIST = {
  params: specTypeSchemas.PaginatedRequestParams,
  result: specTypeSchemas.ListPromptsResult,
};
const GET = {
  params: specTypeSchemas.GetPromptRequestParams,
  result: specTypeSchemas.GetPromptResult,
};

/** Serves the prompts of a catalogue on one connection. */
export function servePrompts(
  server: Server,
  prompts: Prompts,
  { onError }: FailureOptions,
): void {
  server.setRequestHandler("prompts/list", LIST, async ({ cursor }) => {
    const { items, next } = await orProtocolError(
      () => pageOf(prompts.list(), { list: "prompts", cursor, keyOf: ({ name }) => name }),
      onError,
    );
    return {
      prompts: items.map(({ arguments: args, ...prompt }) => ({
        ...prompt,
        ...(args === undefined ? {} : { arguments: [...args] }),
      })),
      ...next,
    };
  });

  server.setRequestHandler("prompts/get", GET, async ({ name, arguments: args = {} }, context) => {
    const { signal } = context.mcpReq;
    const prompt = await orProtocolError(() => prompts.get(name, args, signal), onError);
    if (prompt === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
    }
    return { ...prompt, messages: [...prompt.messages] };
  });
}
