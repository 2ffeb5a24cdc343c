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
  type Files,
} from "./context.ts";
export { type ClientTlsSettings, readClientTls, refuseTls } from "./client_tls.ts";
export { abortError, dialError, isDenied, place } from "./dial_errors.ts";
export { type Dialer, LocalDialer, type Means, type SchemaRef, type Scope } from "./dialer.ts";
export type {
  ClientTls,
  HttpAnswer,
  HttpLimits,
  HttpRequest,
  HttpStream,
} from "./http/exchange.ts";
export { DEFAULT_MAX_BYTES } from "./http/follow.ts";
export {
  contentTypeOf,
  decodeBody,
  headersToRecord,
  isJsonMediaType,
  USER_AGENT,
} from "./http/kit.ts";
export type {
  Call,
  Claim,
  DescribeRequest,
  Diagnostic,
  Discovered,
  DiscoverRequest,
  Protocol,
  ProtocolManifest,
  SchemaRead,
  SchemaRequest,
} from "./protocol.ts";
export { type Plugin, Registry } from "./registry.ts";
export { redactUrl, type Target } from "../gate/mod.ts";
export type { NamedFile } from "../store/mod.ts";
