/**
 * A caller whose plugins run in a worker.
 *
 * @module
 */
import { Caller, type InvokeRequest } from "../../lib/call/mod.ts";
import { Allowlist } from "../../lib/gate/mod.ts";
import { Registry } from "../../lib/protocol/mod.ts";
import { Sandbox, type SandboxParts } from "../../lib/sandbox/mod.ts";
import { plugins } from "./plugins.ts";

/** The module that runs the plugins of the tests. */
export const WORKER = new URL("./worker.ts", import.meta.url);

/** Everything that calls go through, with the sandbox at hand. */
export interface Fixture extends AsyncDisposable {
  readonly allowlist: Allowlist;
  readonly sandbox: Sandbox;
  readonly caller: Caller;
  /** Calls a method of the obliging plugin, and gives its answer. */
  ask(method: string, message?: string, more?: Partial<InvokeRequest>): Promise<string | null>;
}

/** Where the calls of {@linkcode Fixture.ask} go; nothing listens there. */
export const NOWHERE = "http://127.0.0.1:9";

/** Opens one. */
export function openFixture(
  urls: readonly string[] = [NOWHERE],
  parts: Partial<SandboxParts> = {},
): Fixture {
  const allowlist = new Allowlist();
  allowlist.seed(urls, "flag");
  const sandbox = new Sandbox({ allowlist, module: WORKER, ...parts });
  const caller = new Caller(allowlist, new Registry(plugins), { dialer: () => sandbox });
  const signal = new AbortController().signal;
  return {
    allowlist,
    sandbox,
    caller,
    async ask(method, message = "", more = {}) {
      const request = { url: NOWHERE, service: "", method, messages: [message], ...more };
      const { invocation } = await caller.invoke({ protocol: "obliging", ...request }, signal);
      return invocation.response;
    },
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
}
