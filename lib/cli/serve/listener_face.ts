/**
 * What an HTTP listener of the command line answers with.
 *
 * @module
 */
import type { HttpFace, HttpFaceOptions, HttpFaceParts } from "../../http/mod.ts";
import type { Endpoint } from "../../mcp/mod.ts";

/** Where MCP is served: as the documentation has it, and as `--attach HOST:PORT` expects it. */
const PATHS = ["/mcp", "/bowire/mcp"];

/** One endpoint at both paths, and what tells of them at `/bowire/mcp/manifest`. */
export function serverParts(endpoint: Endpoint): HttpFaceParts {
  const mounts = PATHS.map((path) => ({ path, mode: "server", endpoint } as const));
  return { mounts, manifestPath: "/bowire/mcp/manifest" };
}

/** Serves parts, and tells at `/healthz` that it is alive. */
export async function listenerFace(
  parts: HttpFaceParts,
  options: HttpFaceOptions,
): Promise<HttpFace> {
  // Loaded when it is needed: over stdio it is not.
  const { createDoor, createHttpFace } = await import("../../http/mod.ts");
  return createHttpFace(parts, createDoor(options, "/healthz"));
}
