/**
 * The HTTP face: who may come in, and what is mounted where.
 *
 * @module
 */
import { Hono } from "hono";
import { cors } from "hono/cors";
import { toErrorData } from "../errors/mod.ts";
import { BearerGuard, fingerprint, LOOPBACK_NAMES, OriginGuard } from "../gate/mod.ts";
import type { Endpoint } from "../mcp/mod.ts";

/** Where MCP is served when nothing else is said: as the documentation and `--attach` expect it. */
export const DEFAULT_MCP_PATHS: readonly string[] = ["/mcp", "/bowire/mcp"];

/** Who may come in. */
export interface HttpFaceOptions {
  /** Required as `Authorization: Bearer …` with every request when given. */
  readonly token?: string | undefined;
  /** Host names, without port, that requests may be addressed to and pages may come from. @default loopback */
  readonly hostNames?: readonly string[] | undefined;
  /** Paths at which MCP is served. @default /mcp and /bowire/mcp */
  readonly mcpPaths?: readonly string[] | undefined;
}

/** Something that is served beside MCP. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** @returns plain JSON data. */
  answer(request: Request): unknown;
}

/** Request in, response out. Host and Origin are judged first, then the token, then the route. */
export function createHttpFace(
  { endpoint, routes = [] }: { readonly endpoint: Endpoint; readonly routes?: readonly Route[] },
  options: HttpFaceOptions = {},
): (request: Request) => Promise<Response> {
  const origins = new OriginGuard(options.hostNames ?? LOOPBACK_NAMES);
  const bearer = options.token === undefined ? undefined : new BearerGuard(options.token);
  const paths = options.mcpPaths ?? DEFAULT_MCP_PATHS;
  const app = new Hono();

  app.use(async (context, next) => origins.refusal(context.req.raw) ?? await next());
  app.use(cors({
    origin: (origin) => origin, // a foreign one has been refused above
    allowHeaders: [
      "Authorization",
      "Content-Type",
      "Mcp-Session-Id",
      "Mcp-Protocol-Version",
      "Mcp-Method",
      "Mcp-Name",
      "Last-Event-ID",
    ],
    allowMethods: ["GET", "POST", "DELETE"],
    exposeHeaders: ["Mcp-Session-Id", "WWW-Authenticate"],
  }));
  app.use(async (context, next) => {
    const given = context.req.header("authorization") ?? null;
    if (bearer !== undefined && !bearer.accepts(given)) return bearer.challenge(given !== null);
    return await next();
  });
  for (const path of paths) {
    app.all(path, (context) => {
      const given = context.req.header("authorization");
      return endpoint.fetch(context.req.raw, {
        principal: given === undefined ? "" : fingerprint(given),
      });
    });
  }
  for (const { method, path, answer } of routes) {
    app.on(method, path, async (context) => {
      try {
        return Response.json(await answer(context.req.raw));
      } catch (error) {
        return Response.json({ error: toErrorData(error) }, { status: 502 });
      }
    });
  }
  app.notFound((context) =>
    context.json({
      error: `nothing is served at ${context.req.path}; MCP is at ${paths.join(" and ")}`,
    }, 404)
  );
  return async (request) => await app.fetch(request);
}
