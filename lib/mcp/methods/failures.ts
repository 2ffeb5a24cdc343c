/**
 * What a catalogue throws, as an error of the protocol.
 *
 * @module
 */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { BowireError, toErrorData } from "../../errors/mod.ts";

/** What becomes of an error that the client sees only the outline of. */
export interface FailureOptions {
  readonly onError: (error: Error) => void;
}

/**
 * Asks a catalogue.
 *
 * @throws {ProtocolError} as thrown by `work`.
 * @throws {ProtocolError} -32602 when it refuses what it was given, else -32603; with the message
 * of a `BowireError`, and no more than that something broke for anything else.
 */
export async function orProtocolError<Value>(
  work: () => Value | Promise<Value>,
  onError: FailureOptions["onError"],
): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof BowireError)) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
    const { message, ...data } = toErrorData(error);
    const isRefusal = data.code === "invalid_argument" || data.code.startsWith("unknown_");
    const code = isRefusal ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, message, data);
  }
}
