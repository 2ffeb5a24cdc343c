/**
 * What the operations of the plugin share.
 *
 * @module
 */
import { type Call, type CallContext, readHttpMetadata } from "../../lib/protocol/mod.ts";
import { Attendant } from "./client/attendant.ts";
import type { Asker, Connection } from "./client/connection.ts";
import type { Connections } from "./client/connections.ts";
import type { KnownSurfaces } from "./surface/known.ts";

/** Connections, and what is known of those at their other end. */
export interface Parts {
  readonly connections: Connections;
  readonly surfaces: KnownSurfaces;
}

/** One call: whom it is for, and on whose behalf. */
export interface Errand {
  readonly connection: Connection;
  readonly asker: Asker & { readonly attendant: Attendant };
}

/** Gets ready to ask a target. */
export function errandTo(
  { connections }: Parts,
  { target, metadata, ownMetadata = {} }:
    & Pick<Call, "target" | "metadata">
    & Partial<Pick<Call, "ownMetadata">>,
  context: CallContext,
): Errand {
  return {
    connection: connections.to(target, metadata, context),
    asker: { context, attendant: new Attendant(context), headers: lowerCased(ownMetadata) },
  };
}

/** Below the headers of the connection, which have such names. */
function lowerCased(metadata: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(readHttpMetadata(metadata).headers);
}
