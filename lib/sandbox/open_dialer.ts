/**
 * Chooses where plugins run.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../errors/mod.ts";
import { type Dialer, LocalDialer, type Registry } from "../protocol/mod.ts";
import { obstacleTo, type SandboxMode } from "./mode.ts";
import { Sandbox, type SandboxParts } from "./sandbox.ts";

const log = getLogger(["bowire", "sandbox"]);

/** What a dialer is made of. */
export interface DialerParts extends Omit<SandboxParts, "module"> {
  readonly mode: SandboxMode;
  readonly registry: Registry;
  /** The module that runs the same plugins in a worker. */
  readonly module: URL | undefined;
}

/**
 * Makes the dialer that a mode asks for. In `auto`, plugins run in this thread where no worker can
 * be started, and the log says why.
 *
 * @throws {BowireError} `usage` when a worker is asked for and cannot be started.
 */
export function openDialer({ mode, registry, module, ...parts }: DialerParts): Dialer {
  const local = () => new LocalDialer(parts.allowlist, registry, parts);
  if (mode === "none") return local();
  const obstacle = module === undefined ? "there is no module for it" : obstacleTo(module);
  if (module !== undefined && obstacle === undefined) return new Sandbox({ ...parts, module });
  if (mode === "worker") {
    throw new BowireError("usage", `cannot run plugins in a worker: ${obstacle}`, {
      hint: "bowire permissions prints the flags; --sandbox none runs them in this thread",
    });
  }
  if (module !== undefined) {
    log.warn("plugins run without the second fence, in the main thread: {obstacle}", { obstacle });
  }
  return local();
}
