/**
 * The HTTP face: what is mounted where, behind the door.
 *
 * @module
 */
import { toErrorData } from "../errors/mod.ts";
import type { Endpoint } from "../mcp/mod.ts";
import type { ConnectionInfo, Door } from "./door.ts";

/** What an endpoint serves: Bowire itself, or the methods of an API. */
export type MountMode = "server" | "adapter";

/** An MCP endpoint at a path. */
export interface Mount {
  readonly path: string;
  readonly mode: MountMode;
  readonly endpoint: Endpoint;
}

/** Something that is served beside MCP. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** @returns plain JSON data. */
  answer(request: Request): unknown;
}

/** What is served; both lists may grow. */
export interface HttpFaceParts {
  readonly mounts: readonly Mount[];
  readonly routes?: readonly Route[];
  /** Where it is told what is mounted. @default nowhere */
  readonly manifestPath?: string;
}

/** Request in, response out. */
export type HttpFace = (request: Request, info?: ConnectionInfo) => Promise<Response>;

/** Makes the face behind a door. */
export function createHttpFace(
  { mounts, routes = [], manifestPath }: HttpFaceParts,
  door: Door,
): HttpFace {
  return (request, info) =>
    door(request, info, async (request, caller) => {
      const { method } = request;
      const path = new URL(request.url).pathname.replace(/(.)\/$/, "$1"); // as people paste it
      const mount = mounts.find((mount) => mount.path === path);
      if (mount !== undefined) return await mount.endpoint.fetch(request, caller);
      if (path === manifestPath && method === "GET") return Response.json(manifestOf(mounts));
      const route = routes.find((route) => route.path === path && route.method === method);
      if (route !== undefined) return await answerOf(route, request);
      const error = `nothing is served at ${path}; MCP is at ${
        mounts.map(({ path }) => path).join(" and ") || "no path yet"
      }`;
      return Response.json({ error }, { status: 404 });
    });
}

/** What is mounted, in the order of the paths. */
function manifestOf(mounts: readonly Mount[]) {
  const endpoints = mounts.map(({ path, mode }) => ({ path, mode }));
  return { endpoints: endpoints.toSorted((a, b) => a.path < b.path ? -1 : 1) };
}

async function answerOf({ answer }: Route, request: Request): Promise<Response> {
  try {
    return Response.json(await answer(request));
  } catch (error) {
    return Response.json({ error: toErrorData(error) }, { status: 502 });
  }
}
