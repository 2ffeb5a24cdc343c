/**
 * The plugin contract and what it needs.
 *
 * @module
 */
export { type Lookup, lookupHost } from "./addresses.ts";
export { untilAborted } from "./abandon.ts";
export {
  type Ambient,
  type AskPerson,
  type CallContext,
  type ContextOptions,
  createContext,
  DEFAULT_TIMEOUT_MS,
  type Files,
  UNATTENDED,
} from "./context.ts";
export { Deadline, MAX_TIMER_MS } from "./deadline.ts";
export { type ClientTlsSettings, readClientTls, refuseTls } from "./client_tls.ts";
export { abortError, dialError, isDenied, place } from "./dial_errors.ts";
export {
  type Dialer,
  FAREWELL_MS,
  LocalDialer,
  type Means,
  type SchemaRef,
  type Scope,
} from "./dialer.ts";
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
export {
  CONNECTION_HEADERS,
  type HttpMetadata,
  QUERY_PREFIX,
  readHttpMetadata,
  setHeader,
} from "./http/metadata.ts";
export type {
  Call,
  Claim,
  DescribeAllRequest,
  DescribeRequest,
  Diagnostic,
  Discovered,
  DiscoverRequest,
  MethodName,
  Protocol,
  ProtocolManifest,
  SchemaPart,
  SchemaRead,
  SchemaRequest,
} from "./protocol.ts";
export { type App, APP_SCHEME, type Apps, sendToApps, speaksHttp } from "./apps.ts";
export { type Program, PROGRAM_SCHEME, type ProgramCommand, type Programs } from "./program.ts";
export { type Plugin, Registry } from "./registry.ts";
export { redactText, redactUrl, type Target } from "../gate/mod.ts";
export type { NamedFile } from "../store/mod.ts";
