/**
 * JSON-RPC 2.0 messages as MCP has them, read without trust.
 *
 * @module
 */
import { isObject, type JsonObject, textOf } from "../../../lib/schema/json_schema.ts";

/** A request or notification. */
export interface Message {
  readonly method: string;
  readonly params: JsonObject;
}

/** The `error` of an answer. */
export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** An answer: one of both. */
export type Reply = { readonly result: JsonObject } | { readonly error: RpcError };

/** The id of a request of ours is a number, that of the server's whatever it likes. */
export type MessageId = string | number;

/** What came over the wire. */
export type Incoming =
  | { readonly kind: "reply"; readonly id: unknown; readonly reply: Reply }
  | { readonly kind: "request"; readonly id: MessageId; readonly message: Message }
  | { readonly kind: "notification"; readonly message: Message };

/** Codes of JSON-RPC and MCP that are told apart. */
export const RpcCode = {
  methodNotFound: -32601,
  invalidParams: -32602,
  unsupportedVersion: -32022,
  userRejected: -1,
} as const;

/** Messages in a JSON value; those of revision 2025-03-26 may come several in an array. */
export function readMessages(value: unknown): Incoming[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item: unknown) =>
    readMessage(item) ?? []
  );
}

function readMessage(value: unknown): Incoming | undefined {
  if (!isObject(value)) return undefined;
  const { id, result } = value;
  const method = textOf(value["method"]);
  if (method !== undefined) {
    const params = isObject(value["params"]) ? value["params"] : {};
    const message = { method, params };
    return typeof id === "string" || typeof id === "number"
      ? { kind: "request", id, message }
      : { kind: "notification", message };
  }
  const error = readError(value["error"]);
  if (error !== undefined) return { kind: "reply", id, reply: { error } };
  return isObject(result) ? { kind: "reply", id, reply: { result } } : undefined;
}

function readError(error: unknown): RpcError | undefined {
  if (!isObject(error) || typeof error["code"] !== "number") return undefined;
  const { code, data } = error;
  const message = textOf(error["message"]) ?? "";
  return { code, message, ...(data === undefined ? {} : { data }) };
}

/** A request as it is sent. */
export function requestOf(id: MessageId, { method, params }: Message): JsonObject {
  return { jsonrpc: "2.0", id, method, params };
}

/** A notification as it is sent. */
export function notificationOf({ method, params }: Message): JsonObject {
  return { jsonrpc: "2.0", method, params };
}

/** An answer as it is sent. */
export function replyOf(id: MessageId, reply: Reply): JsonObject {
  return { jsonrpc: "2.0", id, ...reply };
}
