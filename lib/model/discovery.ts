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
  /** How it ended. */
  readonly outcome: AttemptOutcome;
  /** Number of services. */
  readonly servicesFound: number;
  /** Whole milliseconds. */
  readonly durationMs: number;
  /** One sentence, never prefixed by the protocol's name. */
  readonly message: string;
  /** More sentences, or `null`. */
  readonly details: readonly string[] | null;
}

/** Everything that was found at one target, and how each protocol fared. */
export interface Discovery {
  /** The canonical URL that was asked. */
  readonly url: string;
  /** Of all protocols, in the order of the attempts. */
  readonly services: readonly Service[];
  /** One a protocol. */
  readonly attempts: readonly Attempt[];
}
