/**
 * A small API on loopback and a REST protocol that may reach it.
 *
 * @module
 */
import { Allowlist } from "../../../lib/gate/mod.ts";
import type { Field, Invocation, Method } from "../../../lib/model/mod.ts";
import {
  type ContextOptions,
  createContext,
  type Discovered,
  type Protocol,
} from "../../../lib/protocol/mod.ts";
import { createRest } from "../../../plugins/rest/plugin.ts";

/** One request that the API received. */
export interface Received {
  readonly method: string;
  /** Path and query as sent. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
  /** The body as it came. */
  readonly bytes: Uint8Array;
}

/** What answers at a path. */
export type Route = (request: Request) => Response | Promise<Response>;

/** A running server. */
export interface Site extends AsyncDisposable {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly received: Received[];
}

/** Starts a server; a path without a route is answered by `other`, or 404. */
export function serve(routes: Readonly<Record<string, Route>>, other?: Route): Site {
  const received: Received[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const url = new URL(request.url);
    const bytes = new Uint8Array(await request.clone().arrayBuffer());
    received.push({
      method: request.method,
      path: url.pathname + url.search,
      headers: request.headers,
      body: new TextDecoder().decode(bytes),
      bytes,
    });
    const route = routes[url.pathname] ?? other;
    return route === undefined ? new Response("nothing here", { status: 404 }) : route(request);
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** An answer with a document as JSON. */
export function json(document: unknown): Route {
  return () => Response.json(document);
}

/** An answer with text of some type. */
export function text(body: string, contentType = "text/plain", status = 200): Route {
  return () => new Response(body, { status, headers: { "content-type": contentType } });
}

/** An OpenAPI document with these paths. */
export function openapi(paths: unknown, others: Readonly<Record<string, unknown>> = {}): unknown {
  return { openapi: "3.1.0", info: { title: "Shop", version: "1.2" }, paths, ...others };
}

/** An API with a document at `/openapi.json` that answers `{}` to everything else. */
export function api(paths: unknown, others: Readonly<Record<string, unknown>> = {}): Site {
  return serve({ "/openapi.json": json(openapi(paths, others)) }, json({}));
}

/** What a test calls. */
export interface TestCall {
  /** Of the target, below the site. @default "/openapi.json" */
  readonly path?: string;
  readonly service?: string;
  readonly method: string;
  /** The one message. @default {} */
  readonly message?: unknown;
  /** JSON text instead of a message. */
  readonly messages?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** @default true */
  readonly validate?: boolean;
}

/** A REST protocol with an allowlist of its own. */
export interface TestRest {
  discover(path?: string, metadata?: Readonly<Record<string, string>>): Promise<Discovered>;
  invoke(call: TestCall): Promise<Invocation>;
  /** The schema of a method, parsed. */
  describe(
    method: string,
    options?: { path?: string; service?: string },
  ): Promise<{ input: JsonData; output?: JsonData; sample?: JsonData }>;
}

/** Parsed JSON, to be looked into by tests. */
// deno-lint-ignore no-explicit-any -- what a test expects of it, the test says
export type JsonData = any;

/** Opens a REST protocol that may reach the whole site, or only the URLs given. */
export function openRest(
  site: Site,
  options: { allowed?: readonly string[]; rest?: Protocol; context?: ContextOptions } = {},
): TestRest {
  const allowlist = new Allowlist();
  for (const url of options.allowed ?? [site.url]) allowlist.permit(url, "option");
  const context = createContext(allowlist, new AbortController().signal, options.context);
  const rest = options.rest ?? createRest();
  return {
    discover: (path = "/openapi.json", metadata = {}) =>
      rest.discover(
        { target: allowlist.admit(site.url + path), metadata, showInternal: false },
        context,
      ),
    invoke: ({ path = "/openapi.json", service = "", method, message = {}, ...call }) =>
      rest.invoke({
        target: allowlist.admit(site.url + path),
        service,
        method,
        messages: call.messages ?? [JSON.stringify(message)],
        metadata: call.metadata ?? {},
        validate: call.validate ?? true,
      }, context),
    describe: async (method, { path = "/openapi.json", service = "" } = {}) => {
      const target = allowlist.admit(site.url + path);
      const schema = await rest.describe?.({ target, service, method, metadata: {} }, context);
      if (schema === undefined) throw new Error("the protocol describes no methods");
      const { input, output, sample } = schema;
      return {
        input: JSON.parse(input),
        ...(output === undefined ? {} : { output: JSON.parse(output) }),
        ...(sample === undefined ? {} : { sample: JSON.parse(sample) }),
      };
    },
  };
}

/** Calls a method of an {@linkcode api} and returns what arrived there. */
export async function send(site: Site, call: TestCall): Promise<Received> {
  await openRest(site).invoke(call);
  const last = site.received.at(-1);
  if (last === undefined) throw new Error("nothing was received");
  return last;
}

/** All methods that were found. */
export function methodsOf({ services }: Discovered): Method[] {
  return services.flatMap(({ methods }) => methods);
}

/** The input fields of the only method of an {@linkcode api}, by name. */
export async function inputsOf(site: Site): Promise<Record<string, Field>> {
  const [method] = methodsOf(await openRest(site).discover());
  return Object.fromEntries(method?.inputType.fields.map((field) => [field.name, field]) ?? []);
}
