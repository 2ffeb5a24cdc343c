/**
 * What a relay has to know of a message; the message itself travels as it came.
 *
 * @module
 */
import { type BowireError, toErrorData } from "../errors/mod.ts";
import { isObject, type JsonObject, textOf } from "../schema/json_schema.ts";
import { parseJson } from "../schema/mod.ts";

/** A message of JSON-RPC 2.0, as far as it is looked at. */
export interface Message {
  /** Absent for notifications; exact, whatever number it is. */
  readonly id: unknown;
  /** Absent for answers. */
  readonly method: string | undefined;
  readonly params: JsonObject;
  /** The revision that the message itself names, as those without a handshake do. */
  readonly version: string | undefined;
  /** Of an answer that is none of failure. */
  readonly result: JsonObject | undefined;
}

/** Codes of JSON-RPC 2.0, section 5.1. */
export const RpcCode = { parseError: -32700, invalidRequest: -32600, internalError: -32603 };

/**
 * The messages in a text: one, or those of a batch (revision 2025-03-26).
 *
 * @throws {SyntaxError} when it is no JSON.
 */
export function readMessages(text: string): Message[] {
  const value = parse(text);
  return (Array.isArray(value) ? value : [value]).filter(isObject).map((item) => {
    const params = isObject(item["params"]) ? item["params"] : {};
    const meta = isObject(params["_meta"]) ? params["_meta"] : {};
    return {
      id: item["id"],
      method: textOf(item["method"]),
      params,
      version: textOf(meta["io.modelcontextprotocol/protocolVersion"]),
      result: isObject(item["result"]) ? item["result"] : undefined,
    };
  });
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    // Exact numbers are looked for by recursion, which ends before the nesting of some messages.
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

/** Whether an answer is owed to a message. */
export function isRequest({ id, method }: Message): boolean {
  return method !== undefined && id !== undefined;
}

/** Whether a message is an answer. */
export function isAnswer({ method }: Message): boolean {
  return method === undefined;
}

/** An id as a key: `1` and `"1"` are two. */
export function keyOf(id: unknown): string {
  return JSON.stringify(id) ?? "";
}

/** The answer to a request that could not be relayed. */
export function failureText(id: unknown, error: BowireError): string {
  const { message, ...data } = toErrorData(error);
  return errorText(id, { code: RpcCode.internalError, message, data });
}

/** An answer that is an error. */
export function errorText(
  id: unknown,
  error: { code: number; message: string; data?: unknown },
): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error });
}
