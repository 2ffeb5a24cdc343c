/**
 * A host with the built-in protocols whose calls go to gRPC servers, in this thread or behind the
 * worker's fence.
 *
 * @module
 */
import type { InvokeRequest } from "../../../lib/call/mod.ts";
import { Host, type HostOptions } from "../../../lib/host/mod.ts";
import type { Frame, Invocation, Service, StreamEnd } from "../../../lib/model/mod.ts";
import { plugins, worker } from "../../../plugins/mod.ts";
import { Home } from "../../fakes/home.ts";
import { HAS_PEERS } from "../../peers/peers.ts";

/** Where plugins run. */
export const MODES = ["none", "worker"] as const;
export type Mode = typeof MODES[number];

/** What a stream brought. */
export interface Streamed {
  readonly frames: readonly unknown[];
  readonly end: StreamEnd | undefined;
}

/** A host, and the shortest ways to call. */
export interface Fixture extends AsyncDisposable {
  readonly host: Host;
  readonly home: Home;
  discover(url: string, options?: object): Promise<readonly Service[]>;
  /** Calls `service/method` with messages as data. */
  invoke(
    url: string,
    name: string,
    body?: unknown,
    more?: Partial<InvokeRequest>,
  ): Promise<Invocation>;
  /** The answer as data; throws when the call failed. */
  ask(url: string, name: string, body?: unknown, more?: Partial<InvokeRequest>): Promise<unknown>;
  /** All frames as data, or the first `count` of them. */
  stream(
    url: string,
    name: string,
    body?: unknown,
    more?: Partial<InvokeRequest> & { count?: number; signal?: AbortSignal },
  ): Promise<Streamed>;
}

/** Opens one. */
export async function openFixture(
  mode: Mode,
  urls: readonly string[],
  options: HostOptions = {},
): Promise<Fixture> {
  const home = await Home.make();
  const host = await Host.open(
    { allowedServerUrls: urls, sandbox: mode, ...options },
    { home: home.path, plugins, worker },
  );
  const idle = () => new AbortController().signal;
  const requestOf = (url: string, name: string, body: unknown, more: object): InvokeRequest => {
    const slash = name.lastIndexOf("/");
    return {
      url,
      service: name.slice(0, slash),
      method: name.slice(slash + 1),
      protocol: "grpc",
      messages: [typeof body === "string" ? body : JSON.stringify(body ?? {})],
      ...more,
    };
  };
  const fixture: Fixture = {
    host,
    home,
    async discover(url, more = {}) {
      const request = { protocol: "grpc", signal: idle(), ...more };
      return (await host.caller.discover(url, request)).services;
    },
    async invoke(url, name, body, more = {}) {
      return (await host.caller.invoke(requestOf(url, name, body, more), idle())).invocation;
    },
    async ask(url, name, body, more) {
      const { ok, status, response } = await fixture.invoke(url, name, body, more);
      if (!ok) throw new Error(`${status}: ${response}`);
      return JSON.parse(response ?? "null");
    },
    async stream(url, name, body, { count = Infinity, signal = idle(), ...more } = {}) {
      const stream = host.caller.subscribe(requestOf(url, name, body, more), signal);
      const frames: unknown[] = [];
      while (frames.length < count) {
        const { done, value } = await stream.next();
        if (done === true) return { frames, end: value ?? undefined };
        frames.push(dataOf(value));
      }
      await stream.return();
      return { frames, end: undefined };
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
  return fixture;
}

function dataOf({ data }: Frame): unknown {
  return JSON.parse(data ?? "null");
}

/** Runs a test in both modes, where there is Node to serve. */
export function testInBothModes(
  name: string,
  fn: (mode: Mode) => Promise<void>,
  ignore = !HAS_PEERS,
): void {
  for (const mode of MODES) {
    const where = mode === "none" ? "in this thread" : "behind the worker's fence";
    Deno.test({ name: `${name}, ${where}`, ignore, fn: () => fn(mode) });
  }
}
