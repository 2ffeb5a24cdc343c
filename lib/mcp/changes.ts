/**
 * Tells clients that a list has changed.
 *
 * @module
 */
import type { Server, ServerEventBus } from "@modelcontextprotocol/server";
import type { Catalogue, ListName } from "./catalogue.ts";

/**
 * Calls `tell` each time a list has changed that clients know of.
 *
 * @returns a function that stops it.
 */
export function watchLists(catalogue: Catalogue, tell: (list: ListName) => void): () => void {
  const stop = catalogue.onChange?.((list) => {
    if (list === "tools" || catalogue[list] !== undefined) tell(list);
  });
  return stop ?? (() => {});
}

/** Tells the client of one connection, or those of its subscriptions that asked for it. */
export async function tellClient(server: Server, list: ListName): Promise<void> {
  await server.notification({ method: `notifications/${list}/list_changed` });
}

/** Tells the open `subscriptions/listen` streams that asked for it (MCP 2026-07-28, subscriptions). */
export function tellListeners(bus: ServerEventBus, list: ListName): void {
  bus.publish({ kind: `${list}_list_changed` });
}
