/**
 * What the commands of one command line share.
 *
 * @module
 */
import type { EntrySource } from "../gate/mod.ts";
import { Host, type HostOptions, type HostParts } from "../host/mod.ts";
import { resolveHome } from "../store/mod.ts";
import type { AskPerson, Plugin } from "../protocol/mod.ts";
import type { Terminal } from "./terminal.ts";

/** Exit codes of the process. */
export const ExitCode = { ok: 0, failed: 1, protocolError: 2, interrupted: 130 } as const;

/** One run of the command line. */
export interface Session {
  readonly terminal: Terminal;
  readonly plugins: readonly Plugin[];
  /** The module that runs the same plugins in a worker. */
  readonly worker: URL | undefined;
  /** Aborts on Ctrl+C, or when the process is told to end. */
  readonly signal: AbortSignal;
  /** What has told it so. */
  stopSignal?: Deno.Signal;
  exitCode: number;
}

/**
 * What a host of this command line is made of.
 *
 * @throws {BowireError} `usage` when there is no home folder.
 */
export function hostParts({ plugins, worker }: Session, urlSource: EntrySource): HostParts {
  return { home: resolveHome(), plugins, worker, urlSource };
}

/** Puts questions of targets to the person at the terminal, where there is one. */
function personAt({ terminal, signal }: Session): AskPerson | undefined {
  if (!Deno.stdin.isTerminal()) return undefined;
  return async (question) => {
    const { askPerson } = await import("./ask_person.ts");
    return await askPerson(terminal, question, signal);
  };
}

/**
 * Opens a host for a person at a terminal, who is their own operator: what they type is admitted
 * for this run, and nothing needs a second confirmation.
 */
export async function openHost(session: Session, options: HostOptions): Promise<Host> {
  return await Host.open(
    { requireConfirmationForMutations: false, ...options },
    { ...hostParts(session, "command line"), onQuestion: personAt(session) },
  );
}
