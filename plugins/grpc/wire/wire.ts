/**
 * A call on the wire: bytes of messages go out and come in, whatever frames them.
 *
 * @module
 */
import type { DescMethod } from "@bufbuild/protobuf";
import type { CallContext } from "../../../lib/protocol/mod.ts";
import type { Endpoint } from "./endpoint.ts";

/** Most bytes of one message that comes in. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** One call, its messages encoded. */
export interface WireCall {
  readonly endpoint: Endpoint;
  readonly method: DescMethod;
  readonly messages: readonly Uint8Array[];
  /** Whether the request stream stays open after the last message. */
  readonly keepsOpen: boolean;
}

/** How the server ended a call. */
export interface WireEnd {
  /** As gRPC counts them; 0 is OK. */
  readonly code: number;
  /** What the server says about it, empty when nothing. */
  readonly message: string;
  /** `google.rpc.Status` in its wire form, when the server sent one. */
  readonly details?: Uint8Array<ArrayBuffer>;
  /** By lower-case name; values of `-bin` names in base64. */
  readonly headers: Readonly<Record<string, string>>;
  readonly trailers: Readonly<Record<string, string>>;
}

/** The messages that come in, one when it is asked for. */
export type WireStream = AsyncGenerator<Uint8Array<ArrayBuffer>, WireEnd, undefined>;

/** Makes calls. */
export interface Wire {
  /**
   * Starts a call at the first message that is asked for. One who stops asking ends it.
   *
   * @throws {BowireError} when the server cannot be reached in time, or says what is no call.
   */
  open(call: WireCall, context: CallContext): WireStream;
}
