import type { Invocation, Service } from "../../lib/model/mod.ts";
import type { Claim, Plugin, Protocol, Target } from "../../lib/protocol/mod.ts";

/** What a protocol of a test does; what is left out finds nothing and refuses to call. */
export interface Behaviour {
  readonly claims?: (target: Target) => Claim;
  readonly discover?: Protocol["discover"];
  readonly invoke?: Protocol["invoke"];
  /** Without it the protocol has no streams. */
  readonly subscribe?: Protocol["subscribe"];
}

/** A protocol made of functions. */
export function protocolOf(id: string, behaviour: Behaviour = {}): Plugin {
  const manifest = {
    id,
    name: `The ${id} protocol`,
    description: `Speaks ${id}.`,
    hints: [id],
    claims: behaviour.claims ?? (() => "possible" as const),
  };
  const protocol: Protocol = {
    manifest,
    discover: behaviour.discover ?? (() => Promise.resolve({ services: [], diagnostics: [] })),
    invoke: behaviour.invoke ?? (() => Promise.reject(new Error(`${id} was not to be called`))),
    ...(behaviour.subscribe && { subscribe: behaviour.subscribe }),
  };
  return { manifest, load: () => Promise.resolve(protocol) };
}

/** A service without methods. */
export function serviceOf(name: string): Service {
  return { name, package: "", methods: [], source: "whatever" };
}

/** A call that went well. */
export function invocationOf(response: string): Invocation {
  return { status: "OK", ok: true, retryable: false, durationMs: 1, response, metadata: {} };
}
