/**
 * The allowlist in the words of Deno's `--allow-net`.
 *
 * @module
 */
import { parseAddress } from "./address.ts";
import type { Allowlist } from "./allowlist.ts";
import { parseIp } from "./ip.ts";

/**
 * The `host:port` pairs of entries, each once, IPv6 in brackets. Paths are lost, since Deno knows
 * none. An entry whose port is not known has no pair, nor has one whose host Deno would take for
 * something else: a pattern, a range, or several.
 */
export function netList({ entries }: Pick<Allowlist, "entries">): string[] {
  const pairs = entries
    .map(({ url }) => parseAddress(url))
    .filter(({ host, port }) => port !== 0 && isPlainHost(host))
    .map(({ host, port }) => `${host}:${port}`);
  return [...new Set(pairs)];
}

/** Whether Deno's lists take a host for one name or address, and for nothing else. */
export function isPlainHost(host: string): boolean {
  return parseIp(host) !== undefined || /^[\w-]+(?:\.[\w-]+)*$/.test(host);
}
