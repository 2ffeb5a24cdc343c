/**
 * Lists in pages.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ListName } from "../catalogue.ts";

/** Most items of one page. */
export const PAGE_SIZE = 250;

/** Which page of a list is wanted. */
export interface PageOptions<Item> {
  readonly list: ListName | "templates";
  /** As the client gave it; absent for the first page. */
  readonly cursor: string | undefined;
  /** Tells the items of the list apart. */
  readonly keyOf: (item: Item) => string;
}

/** A page, and the cursor of the next one when there is one. */
export interface Page<Item> {
  readonly items: Item[];
  /** Spread into the result: holds `nextCursor`, or nothing. */
  readonly next: { readonly nextCursor?: string };
}

/**
 * Cuts a page out of a list. A cursor names the last item before its page, so it holds across
 * requests, processes, and changes elsewhere in the list.
 *
 * @throws {ProtocolError} -32602 when no item has this cursor.
 */
export function pageOf<Item>(
  items: readonly Item[],
  { list, cursor, keyOf }: PageOptions<Item>,
): Page<Item> {
  const cursorOf = (item: Item) => Buffer.from(`${list}\n${keyOf(item)}`).toString("base64url");
  const last = cursor === undefined ? -1 : items.findIndex((item) => cursorOf(item) === cursor);
  if (cursor !== undefined && last === -1) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `unknown cursor: it is none of this server's list of ${list}, or the list has changed; ` +
        "list again without a cursor",
    );
  }
  const page = items.slice(last + 1, last + 1 + PAGE_SIZE);
  const end = page.at(-1);
  const isLast = end === undefined || last + 1 + page.length >= items.length;
  return { items: page, next: isLast ? {} : { nextCursor: cursorOf(end) } };
}
