/**
 * The HTTP listener of what is served to agents.
 *
 * @module
 */
import { BowireError, messageOf } from "../../errors/mod.ts";
import type { ConnectionInfo } from "../../http/mod.ts";
import { endedBy, isListening } from "./drain.ts";
import { type ListenAddress, readCertificate } from "./listen.ts";
import { interrupted, type Listener } from "./listener.ts";
import type { Session } from "../session.ts";

/** How long requests in flight may still take after an interrupt, in milliseconds. */
const SHUTDOWN_MS = 500;

/** What is served. */
export interface Served {
  /** Request in, response out. */
  fetch(request: Request, info: ConnectionInfo): Promise<Response>;
  /** Ends sessions and requests in flight. */
  close(): Promise<void>;
}

/**
 * Listens until interrupted. Then no new request is taken, streams that only listen end at once, and
 * requests in flight have some time: half a second after Ctrl+C, that of the listener after SIGTERM.
 *
 * @throws {BowireError} `address_in_use`, `permission_denied` or `file_failed`.
 */
export async function serveHttp(
  served: Served,
  session: Session,
  { addresses, settings, drainMs }: Listener,
): Promise<void> {
  const { terminal, signal } = session;
  const certificate = await readCertificate(settings);
  const draining = new AbortController();
  const handler = async (request: Request, info: ConnectionInfo) => {
    const response = await served.fetch(request, info);
    return isListening(request, response) ? endedBy(response, draining.signal) : response;
  };
  const servers = addresses.map((address) => listen(handler, address, certificate));
  for (const [index, { addr }] of servers.entries()) {
    const scheme = addresses[index]?.isTls ? "https" : "http";
    const host = addr.hostname.includes(":")
      ? `[${addr.hostname}]`
      : addr.hostname.replace("127.0.0.1", "localhost");
    terminal.print(`MCP server listening at ${scheme}://${host}:${addr.port}/mcp`);
  }
  terminal.print("Connect an agent with that URL; Ctrl+C ends it.");
  await interrupted(signal);
  draining.abort();
  const graceMs = session.stopSignal === "SIGTERM" ? drainMs : SHUTDOWN_MS;
  const timer = setTimeout(() => served.close(), graceMs);
  await Promise.race([
    Promise.all(servers.map((server) => server.shutdown())),
    new Promise((done) => setTimeout(done, graceMs + SHUTDOWN_MS)),
  ]);
  clearTimeout(timer);
}

function listen(
  handler: Deno.ServeHandler<Deno.NetAddr>,
  { hostname, port, isTls }: ListenAddress,
  certificate: { cert: string; key: string } | undefined,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({
      hostname,
      port,
      onListen: () => {}, // we say it ourselves, on the right stream
      ...(isTls && certificate !== undefined ? certificate : {}),
    }, handler);
  } catch (error) {
    throw listenError(hostname, port, error);
  }
}

function listenError(hostname: string, port: number, cause: unknown): BowireError {
  const place = `${hostname}:${port}`;
  if (cause instanceof Deno.errors.AddrInUse) {
    return new BowireError("address_in_use", `cannot listen at ${place}: something else does`, {
      hint: "choose another with --port",
      cause,
    });
  }
  if (cause instanceof Deno.errors.NotCapable) {
    return new BowireError(
      "permission_denied",
      `Deno does not let this process listen at ${place}`,
      {
        hint: `start it with --allow-net=${place}`,
        cause,
      },
    );
  }
  return new BowireError("usage", `cannot listen at ${place}: ${messageOf(cause)}`, { cause });
}
