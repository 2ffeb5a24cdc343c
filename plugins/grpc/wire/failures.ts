/**
 * Tells what went wrong on this side of the wire from what the server says.
 *
 * @module
 */
import { type Metadata, status as codes, type StatusObject } from "@grpc/grpc-js";
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  abortError,
  type CallContext,
  dialError,
  place,
  type Target,
} from "../../../lib/protocol/mod.ts";
import type { Channel } from "./channels.ts";
import { MAX_MESSAGE_BYTES, type WireCall } from "./wire.ts";

/** What a call was made with. */
interface Circumstances {
  readonly call: WireCall;
  readonly channel: Channel;
  readonly context: CallContext;
}

/** The error of a call that the server did not end itself; `undefined` when it did. */
export function failureOf(
  status: StatusObject,
  headers: Metadata | undefined,
  { call: { endpoint: { target } }, channel, context }: Circumstances,
): BowireError | undefined {
  if (isDisconnection(status, headers)) {
    const { refusal } = channel.credentials;
    if (refusal instanceof BowireError) return refusal;
    if (channel.credentials.isConnected) return notHttp2(target);
    return dialError(target, new Error(reasonIn(status.details)));
  }
  if (
    /^Received message larger than max|^Received message that decompresses/.test(status.details)
  ) {
    return new BowireError(
      "too_large",
      `a message of ${place(target)} is larger than ${MAX_MESSAGE_BYTES} bytes`,
      { hint: "ask for less: a filter, a page size" },
    );
  }
  if (!isLocal(status)) return undefined;
  const { CANCELLED, DEADLINE_EXCEEDED } = codes;
  const isEnded = status.code === CANCELLED && context.signal.aborted;
  return isEnded || status.code === DEADLINE_EXCEEDED
    ? abortError(target, context.givenUp, context.timeoutMs)
    : undefined;
}

/** The error of a server that was reached and does not understand. */
function notHttp2(target: Target): BowireError {
  return new BowireError(
    "unreachable",
    `cannot call ${place(target)}: it does not speak HTTP/2, which gRPC is made of`,
    {
      hint: "is it the gRPC port? grpcweb@ and connect@ in front of the URL speak HTTP/1.1",
      details: { http2: false },
    },
  );
}

/** True for that error. */
export function isNotHttp2(error: unknown): boolean {
  return error instanceof BowireError && error.details?.["http2"] === false;
}

/** True when no connection came about. */
export function isDisconnection(status: StatusObject, headers: Metadata | undefined): boolean {
  return status.code === codes.UNAVAILABLE && headers === undefined && isLocal(status);
}

/** A server's own status comes with headers or trailers of its answer. */
function isLocal({ metadata }: StatusObject): boolean {
  return Object.keys(metadata.getMap()).length === 0;
}

/** The last of grpc-js's nested reasons, without its time stamp. */
function reasonIn(details: string): string {
  const [, reason = details] = /Last error: (.*)$/s.exec(details) ?? [];
  return reason
    .replace(/ \(\d{4}-\d\d-\d\dT[\d:.]+Z\)/g, "")
    .replace(/\. Resolution note:\s*$/, "")
    .replace(/^Error: /, "");
}
