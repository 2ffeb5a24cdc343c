/**
 * Which protocol serves which service, as discoveries found it.
 *
 * @module
 */
import type { Target } from "../gate/mod.ts";
import type { Discovery } from "../model/mod.ts";

/** Longest memory. */
const MAX_REMEMBERED = 10_000;

/** A memory of discoveries. */
export class KnownServices {
  readonly #protocols = new Map<string, string>();

  /** Remembers all services of a discovery. */
  remember(target: Target, { services }: Discovery): void {
    if (this.#protocols.size > MAX_REMEMBERED) this.#protocols.clear();
    for (const { name, source } of services) this.#protocols.set(keyOf(target, name), source);
  }

  /** Id of the protocol that serves a service at a target. */
  protocolOf(target: Target, service: string): string | undefined {
    return this.#protocols.get(keyOf(target, service));
  }
}

function keyOf(target: Target, service: string): string {
  return `${target.url}\n${service}`;
}
