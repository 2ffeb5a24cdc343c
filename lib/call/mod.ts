/**
 * Discovery and calls: the only room that runs a protocol against a target.
 *
 * @module
 */
export { ambientOf } from "./ambient.ts";
export { Caller } from "./caller.ts";
export { DEFAULT_DISCOVERY_TIMEOUT_MS, type DiscoverOptions } from "./discover.ts";
export type {
  CallEvent,
  DescribeAllRequest,
  DescribeRequest,
  Invoked,
  InvokeRequest,
  ReadSchemaRequest,
  Surroundings,
} from "./requests.ts";
