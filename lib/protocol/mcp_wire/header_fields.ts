/**
 * What a message says of itself in header fields (MCP 2026-07-28, Streamable HTTP).
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { isObject, type JsonObject, textOf } from "../../schema/json_schema.ts";
import { isRawJson } from "../../schema/mod.ts";

/** An argument that is told in a header field, too. */
export interface HeaderParameter {
  /** Names of the properties that lead to it. */
  readonly path: readonly string[];
  /** What follows `Mcp-Param-`. */
  readonly name: string;
}

/** A request or notification. */
interface Message {
  readonly method: string;
  readonly params: JsonObject;
}

/** The header fields of a message; `version` is that of the protocol. */
export function headersOf({ method, params }: Message, version: string): Record<string, string> {
  const name = textOf(params[method === "resources/read" ? "uri" : "name"]);
  const isNamed = ["tools/call", "prompts/get", "resources/read"].includes(method);
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(isNamed && name !== undefined ? { "mcp-name": encodeValue(name) } : {}),
  };
}

/** The header fields of arguments; one that is not given, or is no plain value, has none. */
export function parameterHeaders(
  parameters: readonly HeaderParameter[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { path, name } of parameters) {
    const value = path.reduce<unknown>((node, key) => isObject(node) ? node[key] : undefined, args);
    const text = isRawJson(value)
      ? value.rawJSON
      : ["string", "number", "boolean"].includes(typeof value)
      ? String(value)
      : undefined;
    if (text !== undefined) headers[`mcp-param-${name}`] = encodeValue(text);
  }
  return headers;
}

/** A text as a field's value; what is not plain ASCII is wrapped in base64. */
function encodeValue(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text === text.trim() &&
    !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
