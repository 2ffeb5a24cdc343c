/**
 * What the operations of the plugin share.
 *
 * @module
 */
import type { Sources } from "./source/sources.ts";
import type { Wire } from "./wire/wire.ts";

/** The memory and the wire of one plugin. */
export interface Parts {
  readonly sources: Sources;
  readonly wire: Wire;
}
