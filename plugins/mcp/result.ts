/**
 * What a server answered, as an invocation.
 *
 * @module
 */
import type { Invocation } from "../../lib/model/mod.ts";
import { cleanLine } from "../../lib/schema/clean_text.ts";
import { isObject, type JsonObject, listOf, textOf } from "../../lib/schema/json_schema.ts";
import { compileValidator } from "../../lib/schema/validate.ts";
import type { RpcFailure } from "./client/failure.ts";
import type { McpMethod } from "./surface/methods.ts";
import { packSchema } from "./surface/schemas.ts";

/** Codes of JSON-RPC and MCP by name. */
const CODE_NAMES: Readonly<Record<number, string>> = {
  [-32700]: "ParseError",
  [-32600]: "InvalidRequest",
  [-32601]: "MethodNotFound",
  [-32602]: "InvalidParams",
  [-32603]: "InternalError",
  [-32002]: "ResourceNotFound",
  [-32020]: "HeaderMismatch",
  [-32021]: "MissingClientCapability",
  [-32022]: "UnsupportedProtocolVersion",
  [-32042]: "UrlElicitationRequired",
};

const MAX_HINT_LENGTH = 500;
/** Violations of an output schema that are named. */
const MAX_NAMED = 3;

type Facts = Pick<Invocation, "durationMs" | "metadata">;

/** A result; that of a tool may say that it failed. */
export function succeeded(
  result: JsonObject,
  method: McpMethod,
  { durationMs, metadata }: Facts,
): Invocation {
  const ok = result["isError"] !== true;
  const warning = ok ? mismatchOf(result, method) : undefined;
  const hint = ok ? undefined : firstText(result);
  return {
    status: ok ? "OK" : "ToolError",
    ok,
    retryable: false,
    durationMs,
    response: JSON.stringify(withoutFraming(result)),
    ...(hint === undefined ? {} : { hint }),
    metadata: { ...metadata, ...(warning === undefined ? {} : { mcp_warning: warning }) },
  };
}

/** An error of the server. */
export function failed(
  { code, message, data }: RpcFailure,
  { durationMs, metadata }: Facts,
): Invocation {
  return {
    status: CODE_NAMES[code] ?? `Error${code}`,
    ok: false,
    retryable: false,
    durationMs,
    response: JSON.stringify({ error: { code, message, ...(data === undefined ? {} : { data }) } }),
    hint: cleanLine(message, MAX_HINT_LENGTH),
    metadata,
  };
}

/** What the revision without a handshake says of each result is no part of the answer. */
function withoutFraming({ resultType: _resultType, ...result }: JsonObject): JsonObject {
  return result;
}

/** What a tool said about its failure. */
function firstText({ content }: JsonObject): string | undefined {
  const block = listOf(content).filter(isObject).find(({ type }) => type === "text");
  const text = textOf(block?.["text"]);
  return text === undefined || text === "" ? undefined : cleanLine(text, MAX_HINT_LENGTH);
}

/** In which way a result breaks the schema that its tool promised. */
function mismatchOf(result: JsonObject, { tool }: McpMethod): string | undefined {
  const schema = tool?.outputSchema;
  if (!isObject(schema)) return undefined;
  const structured = result["structuredContent"];
  if (structured === undefined) return "the tool promised structured content and gave none";
  const violations = compileValidator(packSchema({ schema }), { mayOverlap: true })(structured);
  if (violations.length === 0) return undefined;
  const named = violations.slice(0, MAX_NAMED).map(({ path, message }) => `"${path}" ${message}`);
  return `the structured content breaks the tool's output schema: ${named.join("; ")}`;
}
