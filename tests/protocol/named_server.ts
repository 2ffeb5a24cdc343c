/**
 * A server that is reached by a name other than `localhost`.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import { fail } from "node:assert/strict";
import { parseIp } from "../../lib/gate/mod.ts";
import type { LocalServer } from "../fakes/rooms.ts";

/** Such a server, and where it really is. */
export interface NamedServer extends LocalServer {
  /** This machine's own name. */
  readonly host: string;
  /** What the name leads to; never a public address. */
  readonly address: string;
}

/** Serves on a free port of this machine's own name, which must lead to a private address. */
export async function serveNamed(
  handler: (request: Request) => Response | Promise<Response>,
): Promise<NamedServer> {
  const host = Deno.hostname().toLowerCase();
  const { address } = await lookup(host);
  if (host === "localhost" || parseIp(address)?.kind === "public") {
    fail(`these tests need a machine with a name that leads to a private address, not ${host}`);
  }
  const server = Deno.serve({ hostname: address, port: 0, onListen() {} }, handler);
  const { port } = server.addr;
  return {
    url: `http://${host}:${port}`,
    port,
    host,
    address,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
