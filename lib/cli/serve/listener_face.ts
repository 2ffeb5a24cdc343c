/**
 * What an HTTP listener of the command line answers with.
 *
 * @module
 */
import type { HttpFaceOptions } from "../../http/mod.ts";
import type { Endpoint } from "../../mcp/mod.ts";

/** Where MCP is served: as the documentation has it, and as `--attach HOST:PORT` expects it. */
const PATHS = ["/mcp", "/bowire/mcp"];

/** Serves one endpoint at both paths, and tells of them at `/bowire/mcp/manifest`. */
export async function listenerFace(
  endpoint: Endpoint,
  options: HttpFaceOptions,
): Promise<(request: Request) => Promise<Response>> {
  // Loaded when it is needed: over stdio it is not.
  const { createHttpFace } = await import("../../http/mod.ts");
  const mounts = PATHS.map((path) => ({ path, mode: "server", endpoint } as const));
  return createHttpFace({ mounts, manifestPath: "/bowire/mcp/manifest" }, options);
}
