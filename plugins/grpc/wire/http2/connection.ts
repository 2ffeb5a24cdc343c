/**
 * One HTTP/2 connection to one endpoint (RFC 9113).
 *
 * @module
 */
import { type ClientHttp2Session, connect } from "node:http2";
import type { Socket } from "node:net";
import { BowireError, messageOf } from "../../../../lib/errors/mod.ts";
import {
  abortError,
  type CallContext,
  dialError,
  place,
  type Target,
} from "../../../../lib/protocol/mod.ts";
import type { Endpoint } from "../endpoint.ts";

/** How long a server may take to say that it speaks HTTP/2, in milliseconds. */
const GREETING_MS = 5000;

/** How much of one answer may be on its way, in bytes; the default of 64 KiB slows large ones down. */
const WINDOW_BYTES = 1024 * 1024;

/**
 * Connects, and waits until the server has shown that it speaks HTTP/2.
 *
 * @throws {BowireError} as `CallContext.connectNode` does; `unreachable` when TLS fails or the server
 * does not speak HTTP/2.
 */
export async function openConnection(
  endpoint: Endpoint,
  context: CallContext,
): Promise<ClientHttp2Session> {
  const { target } = endpoint;
  const socket = await context.connectNode(target);
  try {
    return await untilGivenUp(context, endpoint.target, async () => {
      const ready = target.scheme === "https" ? await begin(socket, endpoint) : socket;
      return await greet(target, ready);
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function begin(socket: Socket, endpoint: Endpoint): Promise<Socket> {
  try {
    const { secure } = await import("./secure.ts"); // with all of TLS
    return await secure(socket, endpoint);
  } catch (error) {
    // The alert of a server that speaks other protocols only (RFC 7301, section 3.2).
    if (/NoApplicationProtocol/.test(messageOf(error))) throw noHttp2(endpoint.target, error);
    throw new BowireError("unreachable", dialError(endpoint.target, error).message, {
      cause: error,
      hint:
        "its authority can be given as caCertificate (-cacert), a client's own certificate as " +
        "certificate and privateKey (-cert, -key); allowSelfSigned (-insecure) takes any",
    });
  }
}

async function greet(target: Target, socket: Socket): Promise<ClientHttp2Session> {
  const session = connect(target.origin, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  session.once("remoteSettings", () => resolve());
  session.once("error", reject);
  session.once("close", () => reject(new Error("it closed the connection")));
  const timer = setTimeout(() => reject(new Error("it did not answer")), GREETING_MS);
  try {
    await promise;
    session.removeAllListeners("error").on("error", () => {}); // its streams hear of it
    return session;
  } catch (error) {
    session.on("error", () => {}).destroy();
    throw noHttp2(target, error);
  } finally {
    clearTimeout(timer);
  }
}

function noHttp2(target: Target, error: unknown): BowireError {
  return new BowireError(
    "unreachable",
    `cannot call ${place(target)}: it does not speak HTTP/2, which gRPC is made of`,
    {
      hint: "is it the gRPC port? grpcweb@ and connect@ in front of the URL speak HTTP/1.1",
      details: { http2: false, reason: messageOf(error) },
    },
  );
}

/** True for the error of a server that was reached and does not speak HTTP/2. */
export function isNotHttp2(error: unknown): boolean {
  return error instanceof BowireError && error.details?.["http2"] === false;
}

async function untilGivenUp<T>(
  { signal, givenUp, timeoutMs }: CallContext,
  target: Target,
  run: () => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(abortError(target, givenUp, timeoutMs));
  signal.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([run(), promise]);
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}
