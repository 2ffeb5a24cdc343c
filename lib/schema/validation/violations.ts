/**
 * What is wrong with a value, in words. The value itself is never quoted: it may be a secret.
 *
 * @module
 */
import { cleanLine } from "../clean_text.ts";

/** One thing that is wrong with a value. */
export interface Violation {
  /** Where, as people write it: `items[2].price`, `headers["odd name"]`, empty for the whole. */
  readonly path: string;
  /** What, to be read after the path: `is missing`, `is shorter than 3 characters`. */
  readonly message: string;
}

/** Names and indexes on the way to a place within a value. */
export type Path = readonly (string | number)[];

/** Longest name in a path or a list. */
const MAX_NAME_LENGTH = 100;
/** Most names or values that a message lists. */
const MAX_LISTED = 20;

/** A path as people write it. */
export function pathText(path: Path): string {
  return path.map((segment, index) => {
    if (typeof segment === "number") return `[${segment}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(segment)) return `[${JSON.stringify(shorten(segment))}]`;
    return index === 0 ? shorten(segment) : `.${shorten(segment)}`;
  }).join("");
}

/** The name on one line, cut when it is long. */
export function shorten(name: string): string {
  return cleanLine(name, MAX_NAME_LENGTH);
}

/** `a, b, c`; what goes beyond 20 is counted. */
export function listText(items: readonly string[]): string {
  const listed = items.slice(0, MAX_LISTED).map(shorten).join(", ");
  const more = items.length - MAX_LISTED;
  return more > 0 ? `${listed} and ${more} more` : listed;
}

/** `a, b or c`. */
export function choiceText(items: readonly string[]): string {
  const head = items.slice(0, -1).join(", ");
  return head === "" ? items.join() : `${head} or ${items.at(-1)}`;
}

/** `1 item`, `2 items`. */
export function countText(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
