/**
 * What the worker may reach: the allowlist, as far as this process may reach it itself.
 *
 * @module
 */
import { type Allowlist, netList } from "../gate/mod.ts";

/** Follows an allowlist that grows. */
export class NetGrant {
  readonly #allowlist: Allowlist;
  readonly #seen = new Set<string>();
  readonly #granted: string[] = [];
  #entries = 0;

  constructor(allowlist: Allowlist) {
    this.#allowlist = allowlist;
  }

  /**
   * The pairs that Deno grants this process, the newest last. What it does not grant is left out,
   * since a worker with more than its parent cannot be started.
   */
  get pairs(): readonly string[] {
    if (this.#entries === this.#allowlist.size) return this.#granted;
    const entries = this.#allowlist.entries.slice(this.#entries);
    this.#entries += entries.length;
    for (const pair of netList({ entries })) {
      if (this.#seen.has(pair)) continue;
      this.#seen.add(pair);
      if (isGranted(pair)) this.#granted.push(pair);
    }
    return this.#granted;
  }
}

function isGranted(host: string): boolean {
  return Deno.permissions.querySync({ name: "net", host }).state === "granted";
}
