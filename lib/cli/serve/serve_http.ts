/**
 * The HTTP listener of what is served to agents.
 *
 * @module
 */
import { BowireError, messageOf } from "../../errors/mod.ts";
import { type ListenAddress, type ListenSettings, readCertificate } from "./listen.ts";
import type { Session } from "../session.ts";

/** How long requests in flight may still take after an interrupt, in milliseconds. */
const SHUTDOWN_MS = 500;

/** What is served. */
export interface Served {
  /** Request in, response out. */
  fetch(request: Request): Promise<Response>;
  /** Ends sessions and requests in flight. */
  close(): Promise<void>;
}

/**
 * Listens until interrupted.
 *
 * @throws {BowireError} `address_in_use`, `permission_denied` or `file_failed`.
 */
export async function serveHttp(
  served: Served,
  { terminal, signal }: Session,
  { addresses, settings }: { addresses: readonly ListenAddress[]; settings: ListenSettings },
): Promise<void> {
  const certificate = await readCertificate(settings);
  const servers = addresses.map((address) => listen(served, address, certificate));
  for (const [index, { addr }] of servers.entries()) {
    const scheme = addresses[index]?.isTls ? "https" : "http";
    const host = addr.hostname.includes(":")
      ? `[${addr.hostname}]`
      : addr.hostname.replace("127.0.0.1", "localhost");
    terminal.print(`MCP server listening at ${scheme}://${host}:${addr.port}/mcp`);
  }
  terminal.print("Connect an agent with that URL; Ctrl+C ends it.");
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve(), { once: true });
  if (!signal.aborted) await promise;
  const timer = setTimeout(() => served.close(), SHUTDOWN_MS);
  await Promise.race([
    Promise.all(servers.map((server) => server.shutdown())),
    new Promise((done) => setTimeout(done, 2 * SHUTDOWN_MS)),
  ]);
  clearTimeout(timer);
}

function listen(
  served: Served,
  { hostname, port, isTls }: ListenAddress,
  certificate: { cert: string; key: string } | undefined,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({
      hostname,
      port,
      onListen: () => {}, // we say it ourselves, on the right stream
      ...(isTls && certificate !== undefined ? certificate : {}),
    }, (request) => served.fetch(request));
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
