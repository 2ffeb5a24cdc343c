/**
 * The dialers that are compared, and what they are called with.
 *
 * @module
 */
import { Allowlist } from "../../../lib/gate/mod.ts";
import {
  type Call,
  DEFAULT_TIMEOUT_MS,
  type Dialer,
  LocalDialer,
  type Plugin,
  type ProtocolManifest,
  Registry,
  type Scope,
} from "../../../lib/protocol/mod.ts";
import { Sandbox } from "../../../lib/sandbox/mod.ts";
import { plugins } from "../../../plugins/mod.ts";
import { manifest as rest } from "../../../plugins/rest/manifest.ts";
import { invocationOf, protocolOf } from "../../../tests/fakes/protocols.ts";

const noop = protocolOf("noop", { invoke: () => Promise.resolve(invocationOf("{}")) });

/** The built-in plugins, and one that does nothing. */
export const candidates: readonly Plugin[] = [...plugins, noop];

/** The worker that runs them, from TypeScript. */
export const MODULE = new URL("./module.ts", import.meta.url);

/** One call again and again. */
export interface Exercise {
  readonly protocol: ProtocolManifest;
  readonly call: Call;
}

/** Both dialers for one URL, and what to call there. */
export interface Bench {
  readonly local: Dialer;
  readonly sandbox: Dialer;
  /** Goes to the URL and back. */
  readonly get: Exercise;
  /** Goes to the plugin and back. */
  readonly nothing: Exercise;
}

/** Makes them; the worker starts with the first call. */
export function openBench(url: string, module: URL = MODULE): Bench {
  const allowlist = new Allowlist();
  allowlist.permit(url, "option");
  const target = allowlist.admit(url);
  const call = { target, service: "", method: "GET", messages: [], metadata: {}, validate: true };
  return {
    local: new LocalDialer(allowlist, new Registry(candidates)),
    sandbox: new Sandbox({ allowlist, module }),
    get: { protocol: rest, call },
    nothing: { protocol: noop.manifest, call },
  };
}

/** A scope as the calls of all faces have it. */
export function newScope(): Scope {
  const { signal } = new AbortController();
  const timeoutMs = DEFAULT_TIMEOUT_MS;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  return { signal, limit, timeoutMs, startedMs: performance.now(), ambient: undefined };
}
