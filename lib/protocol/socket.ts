/**
 * Raw connections whose far end is judged before a byte is sent.
 *
 * @module
 */
import type { Socket } from "node:net";
import { BowireError } from "../errors/mod.ts";
import type { Allowlist, Target } from "../gate/mod.ts";
import { place } from "./dial_errors.ts";

/**
 * Connects to a target by its name, and asks the allowlist about the address that was reached.
 *
 * @throws {BowireError} `url_not_allowed`, or `invalid_url` when the target has no port; what the
 * runtime throws when it cannot connect, and the signal's reason.
 */
export async function openSocket(
  allowlist: Allowlist,
  target: Target,
  signal: AbortSignal,
): Promise<Deno.TcpConn> {
  const { host: hostname, port } = addressOf(target);
  const connection = await Deno.connect({ hostname, port, signal });
  try {
    allowlist.checkAddress(target, connection.remoteAddr.hostname);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * The same as a socket of node, which resolves the name by itself when it connects.
 *
 * @throws as {@linkcode openSocket}.
 */
export async function openNodeSocket(
  allowlist: Allowlist,
  target: Target,
  signal: AbortSignal,
): Promise<Socket> {
  const { connect } = await import("node:net"); // most calls need none
  signal.throwIfAborted();
  const socket = connect(addressOf(target));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => reject(signal.reason);
  signal.addEventListener("abort", giveUp, { once: true });
  // Later errors are heard too, until whoever gets the socket listens.
  socket.once("connect", resolve).on("error", reject);
  try {
    await promise;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) throw new Error("it closed the connection");
    allowlist.checkAddress(target, remoteAddress);
    return socket.setNoDelay();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

function addressOf(target: Target): { host: string; port: number } {
  const { host, port } = target;
  // Node takes addresses of IPv6 without their brackets.
  if (port !== 0) return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
  throw new BowireError("invalid_url", `cannot connect to ${place(target)}: it has no port`, {
    hint: 'write the port out, as in "http://localhost:50051"',
  });
}
