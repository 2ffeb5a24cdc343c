/**
 * The outcome of a tool as a result, and the answer that comes back to a question.
 *
 * @module
 */
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Question, ToolCall, ToolOutcome } from "../catalogue.ts";

const QUESTION_KEY = "confirm";

/** What a client is sent for an outcome. */
export function toResult(outcome: ToolOutcome): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case "question":
      return toForm(outcome.question);
    case "content": {
      const { content, structured, isError } = outcome;
      return {
        content: [...content],
        ...(structured === undefined ? {} : { structuredContent: { ...structured } }),
        isError,
      };
    }
    case "result":
      return {
        content: [{ type: "text", text: JSON.stringify(outcome.data) }],
        structuredContent: { ...outcome.data },
        isError: outcome.isError,
      };
  }
}

/** The answer that a repeated call carries, if it carries one. */
export function answerIn(context: ServerContext): Pick<ToolCall, "answer"> {
  const state = context.mcpReq.requestState<string>();
  if (typeof state !== "string") return {};
  const view = inputResponse(context.mcpReq.inputResponses, QUESTION_KEY);
  if (view.kind !== "elicit") return {};
  return {
    answer: { isYes: view.action === "accept" && view.content?.[QUESTION_KEY] === true, state },
  };
}

function toForm({ message, label, state }: Question): InputRequiredResult {
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
