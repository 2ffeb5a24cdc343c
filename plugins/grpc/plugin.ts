/**
 * gRPC: discovery by reflection or schema files, and all four kinds of calls.
 *
 * @module
 */
import type { Protocol } from "../../lib/protocol/mod.ts";
import { invoke } from "./invoke.ts";
import { manifest } from "./manifest.ts";
import { Sources } from "./source/sources.ts";
import type { Parts } from "./parts.ts";
import { locate } from "./prepare.ts";
import { subscribe } from "./subscribe.ts";
import { Connections } from "./wire/http2/connections.ts";
import { createWire } from "./wire/wire.ts";

/** What can be set when the protocol is made. */
export interface GrpcOptions {
  /** A clock in milliseconds, by which descriptions grow stale. @default performance.now */
  readonly nowMs?: () => number;
  /** How long a connection is kept that nobody uses, in milliseconds. @default 30000 */
  readonly idleMs?: number | undefined;
}

/** Makes the gRPC protocol, with connections and a memory of its own. */
export function createGrpc(
  { nowMs = () => performance.now(), idleMs }: GrpcOptions = {},
): Protocol {
  const connections = new Connections(idleMs);
  const wire = createWire(connections);
  const parts: Parts = { sources: new Sources(wire, nowMs), wire };
  return {
    manifest,
    // What a call does not need is loaded when somebody asks for it.
    async discover(request, context) {
      const { discover } = await import("./discover.ts");
      return await discover(parts, request, context);
    },
    invoke: (call, context) => invoke(parts, call, context),
    subscribe: (call, context) => subscribe(parts, call, context),
    async describe(request, context) {
      const { describeMethod } = await import("./describe/mod.ts");
      const { method } = await locate(parts, request, context);
      return describeMethod(method, ["output", "sample", "definition"]);
    },
    async describeAll(request, context) {
      const { describeAll } = await import("./describe/mod.ts");
      return await describeAll(parts, request, context);
    },
    async readSchema(request, context) {
      const { readSchema } = await import("./read_schema.ts");
      return await readSchema(request, context);
    },
    close: () => connections[Symbol.dispose](),
  };
}
