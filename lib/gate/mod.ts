/**
 * Everything that may say no.
 *
 * @module
 */
export { type Address, isWithin, originOf, parseAddress } from "./address.ts";
export {
  Allowlist,
  type AllowlistEntry,
  type EntrySource,
  type IgnoredSeed,
  Target,
} from "./allowlist.ts";
export { BearerGuard, fingerprint } from "./bearer.ts";
export { CONFIRMATION_TTL_MS, ConfirmationStore, type ConfirmedChange } from "./confirmations.ts";
export { type Ip, type IpKind, parseIp } from "./ip.ts";
export { LOOPBACK_NAMES, OriginGuard } from "./origin.ts";
export { isSecretName, MASK, redactJson, redactRecord, redactText, redactUrl } from "./redact.ts";
export { isPlainHost, netList } from "./net_list.ts";
