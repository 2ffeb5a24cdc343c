/**
 * The outcome of asking a target what it offers, over all protocols.
 *
 * @module
 */
import type { Service } from "./service.ts";

/** How one protocol's try ended. */
export type AttemptOutcome = "ok" | "empty" | "partial" | "error" | "timeout";

/** One protocol's try at one target. */
export interface Attempt {
  /** The protocol's id. */
  readonly pluginId: string;
  /** The protocol's name for people. */
  readonly plugin: string;
  readonly outcome: AttemptOutcome;
  readonly servicesFound: number;
  readonly durationMs: number;
  /** One sentence, never prefixed by the protocol's name. */
  readonly message: string;
  readonly details: readonly string[] | null;
}

/** Everything that was found at one target, and how each protocol fared. */
export interface Discovery {
  readonly url: string;
  readonly services: readonly Service[];
  readonly attempts: readonly Attempt[];
}
