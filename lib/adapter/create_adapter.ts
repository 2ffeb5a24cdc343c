/**
 * How an adapter is made.
 *
 * @module
 */
import type { Host } from "../host/mod.ts";
import type { Adapter } from "./adapter.ts";
import { DiscoveredAdapter } from "./discovered_adapter.ts";
import { type AdapterOptions, settle } from "./options.ts";
import { readAll } from "./reading/read_all.ts";

/**
 * Discovers APIs and makes a catalogue of them.
 *
 * @example
 * ```ts
 * import type { Host } from "../host/mod.ts";
 * import { createAdapter } from "./mod.ts";
 *
 * async function toolNames(host: Host): Promise<string[]> {
 *   await using adapter = await createAdapter(host, { urls: ["http://localhost:50051"] });
 *   return adapter.listTools().map(({ name }) => name);
 * }
 * ```
 * @param signal ends the discovery.
 * @throws {BowireError} `usage` for options that cannot be; as a discovery does when no URL offers
 * a method.
 */
export async function createAdapter(
  host: Host,
  options: AdapterOptions,
  signal?: AbortSignal,
): Promise<Adapter> {
  const settings = settle(options);
  const closing = new AbortController();
  const limits = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
  const { readings } = await readAll({ host, settings, signal: limits });
  return new DiscoveredAdapter({ host, settings, closing }, readings);
}
