/**
 * The one wrapper around all tools: validates, confirms, runs, renders failures, times.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError, toErrorData } from "../errors/mod.ts";
import type { Host } from "../host/mod.ts";
import type { DataOutcome, QuestionOutcome, ToolCall } from "../mcp/mod.ts";
import { confirm } from "./confirm.ts";
import type { Tool } from "./tool.ts";

const log = getLogger(["bowire", "tools"]);

/** Runs a tool for a client. Never throws: a failure is an outcome with `isError`. */
export async function runTool(
  host: Host,
  tool: Tool,
  call: ToolCall,
): Promise<DataOutcome | QuestionOutcome> {
  const { name } = tool.description;
  const start = performance.now();
  try {
    const outcome = await confirmAndRun(host, tool, call);
    log.debug("{name} took {durationMs} ms", {
      name,
      durationMs: Math.round(performance.now() - start),
    });
    return outcome;
  } catch (error) {
    if (!(error instanceof BowireError)) log.error("{name} broke: {error}", { name, error });
    return { kind: "result", data: { error: toErrorData(error) }, isError: true };
  }
}

async function confirmAndRun(
  host: Host,
  tool: Tool,
  call: ToolCall,
): Promise<DataOutcome | QuestionOutcome> {
  const prepared = tool.prepare(call.arguments);
  const halt = tool.access === "change"
    ? confirm(host, call, { tool: tool.description, prepared })
    : undefined;
  if (halt !== undefined) return halt;
  const { data, isFailure } = await prepared.run(host, call);
  return { kind: "result", data, isError: isFailure };
}
