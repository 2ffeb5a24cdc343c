/**
 * Calls: `tools/call`, `resources/read` and `prompts/get`.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Invocation } from "../../lib/model/mod.ts";
import type { Call, CallContext } from "../../lib/protocol/mod.ts";
import { isObject, type JsonObject } from "../../lib/schema/json_schema.ts";
import { parseJson } from "../../lib/schema/mod.ts";
import { compileValidator } from "../../lib/schema/validate.ts";
import { headerParametersOf } from "../../lib/protocol/mcp_wire/header_parameters.ts";
import { parameterHeaders } from "../../lib/protocol/mcp_wire/header_fields.ts";
import { RpcFailure } from "./client/failure.ts";
import { MODERN_VERSION } from "./client/facts.ts";
import { errandTo, type Parts } from "./parts.ts";
import { explained } from "./refusal.ts";
import { failed, succeeded } from "./result.ts";
import type { McpMethod } from "./surface/methods.ts";
import { packArguments } from "./surface/schemas.ts";

/** Calls one method. A tool that fails is a failed invocation, not an exception. */
export async function invoke(parts: Parts, call: Call, context: CallContext): Promise<Invocation> {
  const startedMs = performance.now();
  const { connection, asker } = errandTo(parts, call, context);
  const { attendant } = asker;
  return await explained(call.target, context, async () => {
    const method = await parts.surfaces.find(connection, asker, call);
    const args = argumentsOf(call);
    if (call.validate) validate(call, method, args);
    const { version, identity } = await connection.facts(asker);
    const isTold = connection.isHttp && version === MODERN_VERSION;
    const headers = isTold ? headersFor(method, args) : {};
    const facts = () => ({
      durationMs: performance.now() - startedMs,
      metadata: {
        mcp_protocol_version: version,
        ...(identity === "" ? {} : { mcp_server: identity }),
        ...(attendant.notes.length === 0 ? {} : { mcp_note: attendant.notes.join("; ") }),
      },
    });
    try {
      const result = await connection.request(method.request(args), {
        ...asker,
        headers: { ...asker.headers, ...headers },
      });
      return succeeded(result, method, facts());
    } catch (error) {
      if (error instanceof RpcFailure) return failed(error, facts());
      throw error;
    }
  });
}

/** @throws {BowireError} `invalid_argument` when they are no object. */
function argumentsOf({ messages, service, method }: Call): JsonObject {
  const [text = "", ...others] = messages;
  const value = readArguments(text);
  if (isObject(value) && others.length === 0) return value;
  throw new BowireError(
    "invalid_argument",
    `cannot call "${service}/${method}": its arguments are one JSON object`,
  );
}

/** @returns nothing for what is no JSON. */
function readArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function validate({ service, method }: Call, { input }: McpMethod, args: JsonObject): void {
  const violations = compileValidator(packArguments(input), { mayOverlap: true })(args);
  if (violations.length === 0) return;
  const sentence = violations.map(({ path, message }) => `"${path}" ${message}`).join("; ");
  throw new BowireError(
    "invalid_argument",
    `cannot call "${service}/${method}": ${sentence}`,
    {
      hint: "describe the method to see what it takes, or send it as it is without validation",
      details: { violations },
    },
  );
}

function headersFor({ tool }: McpMethod, args: JsonObject): Record<string, string> {
  const found = headerParametersOf(tool?.inputSchema);
  return "parameters" in found ? parameterHeaders(found.parameters, args) : {};
}
