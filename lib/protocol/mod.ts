/**
 * The plugin contract and what it needs.
 *
 * @module
 */
export {
  type CallContext,
  createContext,
  DEFAULT_MAX_BYTES,
  DEFAULT_TIMEOUT_MS,
} from "./context.ts";
export { abortError } from "./dial_errors.ts";
export type { HttpAnswer, HttpLimits, HttpRequest } from "./exchange.ts";
export {
  contentTypeOf,
  decodeBody,
  headersToRecord,
  isJsonMediaType,
  USER_AGENT,
} from "./http_kit.ts";
export type {
  Call,
  Claim,
  Diagnostic,
  Discovered,
  DiscoverRequest,
  Protocol,
  ProtocolManifest,
} from "./protocol.ts";
export { type Plugin, Registry } from "./registry.ts";
export { redactUrl, type Target } from "../gate/mod.ts";
