/**
 * The HTTP requests of one call, each within the call's time.
 *
 * @module
 */
import type { BowireError } from "../../errors/mod.ts";
import type { Allowlist, Target } from "../../gate/mod.ts";
import type { Lookup } from "../addresses.ts";
import type { Send } from "../apps.ts";
import type { CallTime } from "../deadline.ts";
import { refusalOf } from "../dial_errors.ts";
import type { HttpAnswer, HttpRequest, HttpStream } from "./exchange.ts";
import { type BoundRequest, exchange, openExchange } from "./follow.ts";
import { openClient } from "./tls_client.ts";

/** The bounds of one call, and its gate. */
export interface CallBounds {
  readonly allowlist: Allowlist;
  readonly lookup: Lookup;
  /** Aborts when the caller gives up. */
  readonly signal: AbortSignal;
  /** Aborts when the caller gives up or the call's time is over. */
  readonly limit: AbortSignal;
  /** For the whole call. */
  readonly time: CallTime;
  /** What answers in place of the network. */
  readonly send?: Send | undefined;
}

/** Fetches a whole answer. */
export async function fetchWhole(
  target: Target,
  request: HttpRequest,
  bounds: CallBounds,
): Promise<HttpAnswer> {
  const way = openWay(target, request, bounds);
  try {
    const { allowlist, lookup } = bounds;
    return await exchange(target, way.request, { allowlist, lookup, signal: way.signal });
  } catch (error) {
    throw way.refusal(error);
  } finally {
    way.close();
  }
}

/** Fetches an answer whose body is read as it comes. */
export async function fetchStream(
  target: Target,
  request: HttpRequest,
  bounds: CallBounds,
): Promise<HttpStream> {
  const way = openWay(target, request, bounds);
  try {
    const { allowlist, lookup } = bounds;
    const check = { allowlist, lookup, signal: way.signal };
    const { body, ...head } = await openExchange(target, way.request, check);
    const cancel = () => {
      head.cancel();
      way.close();
    };
    return { ...head, cancel, body: readOn(body, way) };
  } catch (error) {
    way.close();
    throw way.refusal(error);
  }
}

async function* readOn(
  body: HttpStream["body"],
  way: Way,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body;
  } catch (error) {
    throw way.refusal(error);
  } finally {
    way.close();
  }
}

/** The means of one request. */
interface Way {
  readonly request: BoundRequest;
  readonly signal: AbortSignal;
  /** What was thrown, in Bowire's words. */
  refusal(error: unknown): BowireError;
  close(): void;
}

function openWay(
  target: Target,
  request: HttpRequest,
  { signal, limit, time, send }: CallBounds,
): Way {
  const ownMs = request.timeoutMs;
  const ended = ownMs === undefined ? limit : AbortSignal.any([limit, AbortSignal.timeout(ownMs)]);
  let client = request.tls === undefined ? undefined : openClient(request.tls);
  return {
    request: { ...request, client, send, limitMs: Math.min(ownMs ?? Infinity, time.leftMs) },
    signal: ended,
    refusal: (error) =>
      refusalOf(error, target, { signal, bound: ended, limitMs: ownMs ?? time.limitMs }),
    close() {
      client?.close();
      client = undefined;
    },
  };
}
