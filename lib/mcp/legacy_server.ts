/**
 * A server for the revisions before 2026-07-28, where they say other things than the SDK does.
 *
 * @module
 */
import {
  isJSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  Server,
  type Transport,
} from "@modelcontextprotocol/server";

/**
 * Says that a resource is missing by -32002 (MCP 2025-11-25, server/resources); the SDK writes the
 * code of 2026-07-28 in every revision, -32602 with data that is the URI alone.
 */
export class LegacyServer extends Server {
  /** Attaches to a transport, and writes what goes out through it as the older revisions do. */
  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(inOlderWords(message), options);
    await super.connect(transport);
  }
}

function inOlderWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const { error } = message;
  if (error.code !== ProtocolErrorCode.InvalidParams || !isUriAlone(error.data)) return message;
  return { ...message, error: { ...error, code: ProtocolErrorCode.ResourceNotFound } };
}

function isUriAlone(data: unknown): boolean {
  return data !== null && typeof data === "object" && Object.keys(data).join() === "uri";
}
