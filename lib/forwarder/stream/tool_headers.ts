/**
 * The header fields that repeat arguments of tools (MCP 2026-07-28, `x-mcp-header`), for children
 * that speak without header fields.
 *
 * @module
 */
import { parameterHeaders } from "../../protocol/mcp_wire/header_fields.ts";
import type { HeaderParameter } from "../../protocol/mcp_wire/header_fields.ts";
import { headerParametersOf } from "../../protocol/mcp_wire/header_parameters.ts";
import { isObject, type JsonObject, listOf, textOf } from "../../schema/json_schema.ts";
import type { Message } from "../message.ts";

/** Most tools that are remembered; beyond them, none is learned any more. */
const MAX_TOOLS = 20_000;

/** What the lists of tools that passed by have said. */
export class ToolHeaders {
  readonly #byTool = new Map<string, readonly HeaderParameter[]>();

  /** Learns from a result of `tools/list`. */
  learn(result: JsonObject): void {
    for (const tool of listOf(result["tools"]).filter(isObject)) {
      const name = textOf(tool["name"]);
      if (name === undefined || this.#byTool.size >= MAX_TOOLS) continue;
      const found = headerParametersOf(tool["inputSchema"]);
      this.#byTool.set(name, "parameters" in found ? found.parameters : []);
    }
  }

  /** Whether the tool of a call has been in a list. */
  knows({ params }: Message): boolean {
    return this.#byTool.has(textOf(params["name"]) ?? "");
  }

  /** The fields of a call. */
  fieldsOf({ method, params }: Message): Record<string, string> {
    if (method !== "tools/call") return {};
    const args = isObject(params["arguments"]) ? params["arguments"] : {};
    return parameterHeaders(this.#byTool.get(textOf(params["name"]) ?? "") ?? [], args);
  }
}
