/**
 * A host with the built-in protocols whose calls go to one MCP server, in this thread or behind the
 * worker's fence.
 *
 * @module
 */
import type { DiscoverOptions, InvokeRequest } from "../../../lib/call/mod.ts";
import { Host, type HostOptions } from "../../../lib/host/mod.ts";
import type { Discovery, Invocation, Method, MethodSchema } from "../../../lib/model/mod.ts";
import { plugins, worker } from "../../../plugins/mod.ts";
import { Home } from "../../fakes/home.ts";
import { type Mode, testInBothModes } from "../grpc/fixture.ts";
import type { Json } from "./scripted.ts";

export type { Mode };

/** A host, and the shortest ways to call the server. */
export interface Fixture extends AsyncDisposable {
  readonly host: Host;
  readonly home: Home;
  discover(options?: DiscoverOptions): Promise<Discovery>;
  /** The methods of a service. */
  methods(service: string): Promise<readonly Method[]>;
  describe(service: string, method: string): Promise<Json>;
  /** Calls with arguments as data, or as text. */
  invoke(
    service: string,
    method: string,
    args?: unknown,
    more?: Partial<InvokeRequest> & { signal?: AbortSignal },
  ): Promise<Invocation>;
  /** Calls a tool; gives its answer as data. */
  tool(name: string, args?: unknown, more?: Partial<InvokeRequest>): Promise<Json>;
}

/** Opens one for the server at `url`. */
export async function openFixture(
  mode: Mode,
  url: string,
  options: HostOptions = {},
): Promise<Fixture> {
  const home = await Home.make();
  const host = await Host.open(
    { allowedServerUrls: [url.replace(/^mcp@/, "")], sandbox: mode, ...options },
    { home: home.path, plugins, worker },
  );
  const idle = () => new AbortController().signal;
  const fixture: Fixture = {
    host,
    home,
    discover: (more = {}) =>
      host.caller.discover(url, { protocol: "mcp", ...more, signal: idle() }),
    async methods(service) {
      const { services, attempts } = await fixture.discover();
      const found = services.find(({ name }) => name === service);
      if (found === undefined) throw new Error(`no ${service}: ${attempts[0]?.message}`);
      return found.methods;
    },
    async describe(service, method) {
      const request = { url, service, method, protocol: "mcp" };
      return dataOf(await host.caller.describe(request, idle()));
    },
    async invoke(service, method, args = {}, { signal = idle(), ...more } = {}) {
      const messages = [typeof args === "string" ? args : JSON.stringify(args)];
      const request = { url, service, method, protocol: "mcp", messages, ...more };
      return (await host.caller.invoke(request, signal)).invocation;
    },
    async tool(name, args, more) {
      const { ok, status, response } = await fixture.invoke("Tools", name, args, more);
      if (!ok) throw new Error(`${status}: ${response}`);
      return JSON.parse(response ?? "null");
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
  return fixture;
}

function dataOf({ input, output = "null", sample = "null" }: MethodSchema = { input: "null" }) {
  return { input: JSON.parse(input), output: JSON.parse(output), sample: JSON.parse(sample) };
}

/** Runs a test in both modes. */
export function testBoth(name: string, fn: (mode: Mode) => Promise<void>): void {
  testInBothModes(name, fn, false);
}
