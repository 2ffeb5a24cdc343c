/**
 * Discovery and calls: the only room that runs a protocol against a target.
 *
 * @module
 */
export { Caller, type CallEvent, type Invoked, type InvokeRequest } from "./caller.ts";
export { DEFAULT_DISCOVERY_TIMEOUT_MS, type DiscoverOptions } from "./discover.ts";
