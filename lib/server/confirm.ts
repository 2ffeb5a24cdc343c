/**
 * The step before a change: asks the person where the client can, else the agent must come back
 * with the token of a pending answer.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { ConfirmedChange } from "../gate/mod.ts";
import type { Host } from "../host/mod.ts";
import type { DataOutcome, QuestionOutcome, ToolCall, ToolDescription } from "../mcp/mod.ts";
import type { PreparedTool } from "./tool.ts";

/** A change that is about to happen. */
export interface PlannedChange {
  readonly tool: ToolDescription;
  readonly prepared: PreparedTool;
}

/**
 * Decides whether a change may run now.
 *
 * @returns `undefined` to go ahead, else the outcome that stands in for it.
 * @throws {BowireError} `confirmation_refused`, or what the plan throws on bad arguments.
 */
export function confirm(
  host: Host,
  call: ToolCall,
  { tool, prepared }: PlannedChange,
): DataOutcome | QuestionOutcome | undefined {
  const { args, confirmation: { confirm: isConfirmed, confirmationToken } } = prepared;
  const plan = prepared.plan(host); // throws on bad arguments, before anybody is asked
  if (!host.options.requireConfirmationForMutations) return undefined;
  const change = (asked: ConfirmedChange["asked"]): ConfirmedChange => ({
    tool: tool.name,
    arguments: args,
    principal: call.principal,
    asked,
  });
  if (call.answer !== undefined) {
    host.confirmations.redeem(call.answer.state, change("person"));
    if (!call.answer.isYes) throw declined(tool.name);
    return undefined;
  }
  if (confirmationToken !== undefined && confirmationToken !== "") {
    host.confirmations.redeem(confirmationToken, change("agent"));
    return undefined;
  }
  if (isConfirmed === true) {
    host.confirmations.redeemParked(change("agent"));
    return undefined;
  }
  if (call.mayAsk) {
    const state = host.confirmations.issue(change("person"));
    return { kind: "question", question: { message: plan, label: tool.title, state } };
  }
  return {
    kind: "result",
    isError: false,
    data: pendingAnswer(tool.name, plan, host.confirmations.issue(change("agent"))),
  };
}

function pendingAnswer(
  kind: string,
  plan: string,
  confirmationToken: string,
): Record<string, unknown> {
  return {
    pending: true,
    confirmationToken,
    kind,
    plan,
    note:
      "Nothing has changed yet. Show the plan to the user; if they agree, call again with the same " +
      "arguments and this confirmationToken. It works once and expires in 5 minutes.",
  };
}

function declined(tool: string): BowireError {
  return new BowireError("confirmation_refused", `cannot run ${tool}: the user did not agree`, {
    hint: "respect the answer; do not ask again unless the user wants it",
  });
}
