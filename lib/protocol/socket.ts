/**
 * Raw connections whose far end is judged before a byte is sent.
 *
 * @module
 */
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
  if (target.port === 0) {
    throw new BowireError("invalid_url", `cannot connect to ${place(target)}: it has no port`, {
      hint: 'write the port out, as in "grpc://localhost:50051"',
    });
  }
  const { host: hostname, port } = target;
  const connection = await Deno.connect({ hostname, port, signal });
  try {
    allowlist.checkAddress(target, connection.remoteAddr.hostname);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}
