/**
 * What clients are told of a call's effects.
 *
 * @module
 */
import type { ToolAnnotations } from "../../mcp/mod.ts";
import type { Method } from "../../model/mod.ts";

/** Effects of a call. */
type Effects = Pick<ToolAnnotations, "readOnlyHint" | "destructiveHint" | "idempotentHint">;

const READS: Effects = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
/** It may cancel, pay or overwrite: nothing tells that it does not. MCP's own default, too. */
const UNKNOWN: Effects = { readOnlyHint: false, destructiveHint: true, idempotentHint: false };
const REPLACES: Effects = { ...UNKNOWN, idempotentHint: true };

/** What HTTP promises of its verbs (RFC 9110, section 9.2). */
const BY_VERB: Readonly<Record<string, Effects>> = {
  GET: READS,
  HEAD: READS,
  OPTIONS: READS,
  TRACE: READS,
  QUERY: READS,
  PUT: REPLACES,
  DELETE: REPLACES,
};

/**
 * The hints of a method's author, and what they leave open by the verb. A `POST` or `PATCH` may do
 * anything, and so may a call without a verb.
 */
export function annotate({ hints = {}, httpMethod = "" }: Method): ToolAnnotations {
  const effects = BY_VERB[httpMethod] ?? UNKNOWN;
  const readOnlyHint = hints.readOnly ?? effects.readOnlyHint;
  return {
    readOnlyHint,
    destructiveHint: !readOnlyHint && (hints.destructive ?? effects.destructiveHint),
    idempotentHint: hints.idempotent ?? (readOnlyHint || effects.idempotentHint),
    openWorldHint: hints.openWorld ?? true,
  };
}
