/**
 * What the worker may reach: the allowlist, as far as this process may reach it itself.
 *
 * @module
 */
import { type Allowlist, netList } from "../gate/mod.ts";

/** Follows an allowlist that grows. */
export class NetGrant {
  readonly #allowlist: Allowlist;
  readonly #pairs = new Map<string, boolean>();
  #entries = 0;

  constructor(allowlist: Allowlist) {
    this.#allowlist = allowlist;
  }

  /**
   * The pairs that Deno grants this process, the newest last. What it does not grant is left out,
   * since a worker with more than its parent cannot be started.
   */
  get pairs(): string[] {
    const { entries } = this.#allowlist;
    for (const pair of netList({ entries: entries.slice(this.#entries) })) {
      if (!this.#pairs.has(pair)) this.#pairs.set(pair, isGranted(pair));
    }
    this.#entries = entries.length;
    return [...this.#pairs].filter(([, granted]) => granted).map(([pair]) => pair);
  }
}

function isGranted(host: string): boolean {
  return Deno.permissions.querySync({ name: "net", host }).state === "granted";
}
