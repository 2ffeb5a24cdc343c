/**
 * The second fence: plugins run in a worker whose net permission is the allowlist.
 *
 * @module
 */
export { missingFeatureFlag, readsOf, type SandboxMode } from "./mode.ts";
export { type DialerParts, openDialer } from "./open_dialer.ts";
export type { PulseLimits } from "./pulse.ts";
export { Sandbox, type SandboxParts } from "./sandbox.ts";
