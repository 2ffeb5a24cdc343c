/**
 * What the commands of one command line share.
 *
 * @module
 */
import { Host, type HostOptions } from "../host/mod.ts";
import { resolveHome } from "../store/mod.ts";
import type { Plugin } from "../protocol/mod.ts";
import type { Terminal } from "./terminal.ts";
import { readVariable } from "./variables.ts";

/** Exit codes of the process. */
export const ExitCode = { ok: 0, failed: 1, protocolError: 2, interrupted: 130 } as const;

/** One run of the command line. */
export interface Session {
  readonly terminal: Terminal;
  readonly plugins: readonly Plugin[];
  /** Aborts on Ctrl+C. */
  readonly signal: AbortSignal;
  exitCode: number;
}

/**
 * Opens a host for a person at a terminal, who is their own operator: what they type is admitted
 * for this run, and nothing needs a second confirmation.
 */
export async function openHost(
  session: Session,
  typedUrls: readonly string[],
  options: HostOptions = {},
): Promise<Host> {
  const home = resolveHome(readVariable);
  return await Host.open(
    { allowedServerUrls: typedUrls, requireConfirmationForMutations: false, ...options },
    { home, plugins: session.plugins, urlSource: "command line" },
  );
}
