/**
 * A catalogue as an MCP server of the SDK, for one connection or one request.
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputRequired,
  inputResponse,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Catalogue, ToolCall, ToolOutcome } from "./catalogue.ts";
import { type ToolNameStyle, wireName } from "./names.ts";
import { ProgressSender } from "./progress.ts";

const QUESTION_KEY = "confirm";
/** How long a list may be kept by a client, in milliseconds: the tools only change with the version. */
const LIST_TTL_MS = 5 * 60_000;

/** How a catalogue is shown. */
export interface ConnectOptions {
  /** @default "auto" */
  readonly toolNames?: ToolNameStyle;
}

/** Makes a fresh server each time: one is never shared between clients. */
export function createServerFactory(
  catalogue: Catalogue,
  options: ConnectOptions = {},
): McpServerFactory {
  const style = options.toolNames ?? "auto";
  const { name, title, version, instructions } = catalogue.identity;
  return ({ requestInfo }) => {
    const server = new Server({ name, title, version }, {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
    });
    const clientOf = (context: ServerContext) => {
      // The newest revision says who asks with every request, the older ones only once.
      const envelope: Readonly<Record<string, unknown>> = context.mcpReq.envelope ?? {};
      const info = asRecord(envelope[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
      return {
        name: asText(info.name ?? requestInfo?.headers.get("user-agent")),
        version: asText(info.version),
        capabilities: asRecord(
          envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities(),
        ),
      };
    };

    server.setRequestHandler("tools/list", (request, context) => {
      if (request.params?.cursor !== undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          "unknown cursor: the list has one page",
        );
      }
      const client = clientOf(context);
      return {
        tools: catalogue.listTools().map((tool) => ({
          ...tool,
          name: wireName(tool.name, style, client.name),
        })),
      };
    });

    server.setRequestHandler("tools/call", async (request, context) => {
      const client = clientOf(context);
      const progress = new ProgressSender(context.mcpReq);
      const outcome = await catalogue.callTool({
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
      });
      await progress.end();
      if (outcome === undefined) {
        throw new ProtocolError(
          ProtocolErrorCode.InvalidParams,
          `Unknown tool: ${request.params.name}`,
        );
      }
      return toResult(outcome);
    });
    return server;
  };
}

/** The answer that a repeated call carries, if it carries one. */
function answerIn(context: ServerContext): Pick<ToolCall, "answer"> {
  const state = context.mcpReq.requestState<string>();
  if (typeof state !== "string") return {};
  const view = inputResponse(context.mcpReq.inputResponses, QUESTION_KEY);
  if (view.kind !== "elicit") return {};
  return {
    answer: { isYes: view.action === "accept" && view.content?.[QUESTION_KEY] === true, state },
  };
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

function toResult(outcome: ToolOutcome) {
  if (outcome.kind === "question") {
    const { message, label, state } = outcome.question;
    return inputRequired({
      requestState: state,
      inputRequests: {
        [QUESTION_KEY]: inputRequired.elicit({
          message,
          requestedSchema: {
            type: "object",
            properties: { [QUESTION_KEY]: { type: "boolean", title: label } },
            required: [QUESTION_KEY],
          },
        }),
      },
    });
  }
  return {
    content: [{ type: "text" as const, text: JSON.stringify(outcome.data) }],
    structuredContent: { ...outcome.data },
    isError: outcome.isError,
  };
}
