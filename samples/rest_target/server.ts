/**
 * A small harbour office: a REST API to explore, with its OpenAPI 3.1 document at `/openapi.json`.
 *
 * @module
 */
import { Problem, type Route } from "./answers.ts";
import { berthRoutes } from "./berths.ts";
import { bookingRoutes } from "./bookings.ts";
import { harbourRoutes } from "./harbour.ts";
import { shipRoutes } from "./ships.ts";
import { openHarbour } from "./state.ts";
// As text, for its integers are larger than a double can hold.
import document from "./openapi.json" with { type: "text" };

/** A running target; disposing it stops the listener. */
export interface RestTarget extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** A harbour with fresh data, as a handler of requests. */
export function createHarbour(): (request: Request) => Promise<Response> {
  const harbour = openHarbour();
  const routes = [
    ...shipRoutes(harbour),
    ...berthRoutes(harbour),
    ...bookingRoutes(harbour),
    ...harbourRoutes(harbour),
    { method: "GET", path: "/openapi.json", answer: serveDocument },
  ].map((route) => ({ ...route, pattern: new URLPattern({ pathname: route.path }) }));
  return (request) => answer(request, routes);
}

/**
 * Starts a harbour with fresh data on 127.0.0.1.
 *
 * @param options.port 0 takes a free one. @default 0
 * @param options.signal stops the listener too.
 */
export function startRestTarget(
  options: { readonly port?: number; readonly signal?: AbortSignal } = {},
): RestTarget {
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    onListen: () => {},
    handler: createHarbour(),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function serveDocument(): Response {
  return new Response(document, { headers: { "content-type": "application/json" } });
}

async function answer(
  request: Request,
  routes: readonly (Route & { pattern: URLPattern })[],
): Promise<Response> {
  const url = new URL(request.url);
  const atPath = routes.filter(({ pattern }) => pattern.test(url));
  const route = atPath.find(({ method }) => method === request.method);
  try {
    if (atPath.length === 0) throw new Problem(404, "There is no such path");
    if (route === undefined) {
      const allow = atPath.map(({ method }) => method).join(", ");
      throw new Problem(405, "The path has no such method", { headers: { allow } });
    }
    return await route.answer({ request, url, params: readParams(route.pattern, url) });
  } catch (error) {
    if (error instanceof Problem) return error.toResponse();
    throw error;
  }
}

function readParams(pattern: URLPattern, url: URL): Record<string, string> {
  const groups = pattern.exec(url)?.pathname.groups ?? {};
  return Object.fromEntries(
    Object.entries(groups).map(([name, value = ""]) => [name, decodeURIComponent(value)]),
  );
}
