/**
 * The methods of MCP that list and call tools.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import type { Catalogue, ToolCall } from "../catalogue.ts";
import { type ToolNameStyle, wireName } from "../names.ts";
import { ProgressSender } from "../progress.ts";
import { type FailureOptions, orProtocolError } from "./failures.ts";
import { pageOf } from "./pages.ts";
import { answerIn, toResult } from "./results.ts";

const LIST = {
  params: specTypeSchemas.PaginatedRequestParams,
  result: specTypeSchemas.ListToolsResult,
};

/** How tools are shown. */
export interface ToolsOptions extends FailureOptions {
  readonly style: ToolNameStyle;
  /** The request that the server was made for; absent over stdio. */
  readonly opening: Request | undefined;
}

/** Serves the tools of a catalogue on one connection. */
export function serveTools(server: Server, catalogue: Catalogue, options: ToolsOptions): void {
  const { style, onError, opening } = options;
  const clientOf = (context: ServerContext) => {
    // The newest revision says who asks with every request, the older ones only once.
    const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
    const info = asRecord(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
    return {
      name: asText(info.name ?? opening?.headers.get("user-agent")),
      version: asText(info.version),
      capabilities: asRecord(
        envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
      ),
    };
  };

  server.setRequestHandler("tools/list", LIST, async ({ cursor }, context) => {
    const client = clientOf(context);
    const { items, next } = await orProtocolError(
      () => pageOf(catalogue.listTools(), { list: "tools", cursor, keyOf: ({ name }) => name }),
      onError,
    );
    return {
      tools: items.map(({ _meta, ...tool }) => ({
        ...tool,
        name: wireName(tool.name, style, client.name),
        ...(_meta === undefined ? {} : { _meta: { ..._meta } }),
      })),
      ...next,
    };
  });

  server.setRequestHandler("tools/call", async (request, context) => {
    const client = clientOf(context);
    const progress = new ProgressSender(context.mcpReq);
    const outcome = await orProtocolError(() =>
      catalogue.callTool({
        name: request.params.name,
        arguments: request.params.arguments ?? {},
        signal: context.mcpReq.signal,
        principal: [
          context.http?.authInfo?.clientId,
          context.sessionId,
          client.name,
          client.version,
        ].join("\n"),
        mayAsk: canShowForms(client.capabilities),
        report: progress.report,
        ...answerIn(context),
        ...headersIn(context),
      }), onError);
    await progress.end();
    if (outcome === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool: ${request.params.name}`,
      );
    }
    return toResult(outcome);
  });
}

/** The headers of the very request that brought a call: a session has one after another. */
function headersIn({ http }: ServerContext): Pick<ToolCall, "headers"> {
  return http?.req === undefined ? {} : { headers: Object.fromEntries(http.req.headers) };
}

/** Form mode is meant when no mode is named (MCP 2025-11-25, elicitation, capabilities). */
function canShowForms({ elicitation }: Readonly<Record<string, unknown>>): boolean {
  if (elicitation === undefined) return false;
  const modes = Object.keys(asRecord(elicitation));
  return modes.length === 0 || modes.includes("form");
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return value !== null && typeof value === "object" ? { ...value } : {};
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
