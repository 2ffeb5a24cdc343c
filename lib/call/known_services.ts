/**
 * Which protocol serves which service, as discoveries found it.
 *
 * @module
 */
import type { Target } from "../gate/mod.ts";
import type { Service } from "../model/mod.ts";

/** Longest memory. */
const MAX_REMEMBERED = 10_000;

/** A memory of discoveries. */
export class KnownServices {
  readonly #protocols = new Map<string, string>();

  /** Remembers services that a protocol found. */
  remember(target: Target, services: readonly Service[], protocol: string): void {
    if (this.#protocols.size > MAX_REMEMBERED) this.#protocols.clear();
    for (const { name } of services) this.#protocols.set(keyOf(target, name), protocol);
  }

  /** Id of the protocol that serves a service at a target. */
  protocolOf(target: Target, service: string): string | undefined {
    return this.#protocols.get(keyOf(target, service));
  }
}

function keyOf(target: Target, service: string): string {
  return `${target.url}\n${service}`;
}
