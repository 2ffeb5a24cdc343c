/**
 * What the operations of the plugin share.
 *
 * @module
 */
import type { Sources } from "./source/sources.ts";
import type { Endpoint } from "./wire/endpoint.ts";
import type { Wire } from "./wire/wire.ts";

/** The memory and the wires of one plugin. */
export interface Parts {
  readonly sources: Sources;
  wireOf(endpoint: Endpoint): Wire;
}
