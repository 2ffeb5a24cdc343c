/**
 * The plugin contract and what it needs.
 *
 * @module
 */
export { type Lookup, lookupHost } from "./addresses.ts";
export { untilAborted } from "./abandon.ts";
export {
  type Ambient,
  type CallContext,
  type ContextOptions,
  createContext,
  DEFAULT_TIMEOUT_MS,
} from "./context.ts";
export { abortError } from "./dial_errors.ts";
export { type Dialer, LocalDialer, type Scope } from "./dialer.ts";
export type { ClientTls, HttpAnswer, HttpLimits, HttpRequest } from "./exchange.ts";
export { DEFAULT_MAX_BYTES } from "./follow.ts";
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
  DescribeRequest,
  Diagnostic,
  Discovered,
  DiscoverRequest,
  Protocol,
  ProtocolManifest,
} from "./protocol.ts";
export { type Plugin, Registry } from "./registry.ts";
export { redactUrl, type Target } from "../gate/mod.ts";
export type { NamedFile } from "../store/mod.ts";
