/**
 * Chooses where plugins run.
 *
 * @module
 */
import process from "node:process";
import { getConfig, getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import { type Dialer, LocalDialer, type Registry } from "../protocol/mod.ts";
import { missingFlag, type SandboxMode } from "./mode.ts";
import { Sandbox, type SandboxParts } from "./sandbox.ts";

const log = getLogger(["bowire", "sandbox"]);

/** What a dialer is made of. */
export interface DialerParts extends Omit<SandboxParts, "module"> {
  readonly mode: SandboxMode;
  readonly registry: Registry;
  /** The module that runs the same plugins in a worker; without it they run in this thread. */
  readonly module: URL | undefined;
}

/**
 * Makes the dialer that a mode asks for. In `auto`, plugins run in this thread where no worker can
 * be started, with a warning that says why.
 *
 * @throws {BowireError} `usage` when a worker is asked for and cannot be started.
 */
export function openDialer({ mode, registry, module, ...parts }: DialerParts): Dialer {
  const local = () => new LocalDialer(parts.allowlist, registry, parts);
  if (mode === "none" || module === undefined) return local();
  // A compiled program may not tell its flags; whoever insists knows them.
  const isInsisting = mode === "worker" && Deno.build.standalone;
  const flag = isInsisting ? undefined : missingFlag(module);
  if (flag === undefined) return new Sandbox({ ...parts, module });
  if (mode === "auto") {
    warn(`plugins run in the main thread, without the second fence: start Deno with ${flag}`);
    return local();
  }
  throw new BowireError(
    "usage",
    `cannot run plugins in a worker: Deno was started without ${flag}`,
    { hint: "bowire permissions prints all flags; --sandbox none runs them in the main thread" },
  );
}

/** Through the log; an app that has set up none hears it all the same. */
function warn(message: string): void {
  if (getConfig() === null) process.emitWarning(message, "BowireWarning");
  else log.warn(message);
}
