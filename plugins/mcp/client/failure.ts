/**
 * An error that a server answers.
 *
 * @module
 */
import { RpcCode, type RpcError } from "../wire/message.ts";

/** What a server answers instead of a result. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: RpcError) {
    super(message);
    this.code = code;
    this.data = data;
  }

  /** True when the server does not know the method. */
  get isUnknownMethod(): boolean {
    return this.code === RpcCode.methodNotFound;
  }
}
