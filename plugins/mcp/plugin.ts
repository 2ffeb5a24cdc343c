/**
 * MCP: the tools, resources and prompts of servers, over streamable HTTP and over stdio.
 *
 * @module
 */
import type { Protocol } from "../../lib/protocol/mod.ts";
import { Connections } from "./client/connections.ts";
import { discover } from "./discover.ts";
import { invoke } from "./invoke.ts";
import { manifest } from "./manifest.ts";
import { errandTo, type Parts } from "./parts.ts";
import { explained } from "./refusal.ts";
import { findAllIn, KnownSurfaces } from "./surface/known.ts";
import { methodSchema } from "./surface/schemas.ts";

/** What can be set when the protocol is made. */
export interface McpOptions {
  /** A clock in milliseconds, by which sessions grow idle and lists stale. @default performance.now */
  readonly nowMs?: () => number;
}

/** Makes the MCP protocol, with connections and a memory of its own. */
export function createMcp({ nowMs = () => performance.now() }: McpOptions = {}): Protocol {
  const connections = new Connections(nowMs);
  const parts: Parts = { connections, surfaces: new KnownSurfaces(nowMs) };
  return {
    manifest,
    discover: (request, context) => discover(parts, request, context),
    invoke: (call, context) => invoke(parts, call, context),
    async describe(request, context) {
      const { connection, asker } = errandTo(parts, request, context);
      const method = await explained(
        request.target,
        context,
        () => parts.surfaces.find(connection, asker, request),
      );
      return methodSchema(method, ["output", "sample"]);
    },
    async describeAll(request, context) {
      const { connection, asker } = errandTo(parts, request, context);
      const surface = await explained(
        request.target,
        context,
        () => parts.surfaces.of(connection, asker, false),
      );
      return findAllIn(surface, request.methods)
        .map((method) => method && methodSchema(method, request.parts));
    },
    close: (context) => connections.close(context),
  };
}
