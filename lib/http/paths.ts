/**
 * Paths of what is served.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";

/** Where the embedded handler is mounted when nothing else is said. */
export const DEFAULT_BASE_PATH = "/bowire";

/**
 * A base path as it is put in front of others: a slash before each segment, none at the end; empty
 * for the root.
 *
 * @throws {BowireError} `usage` for what is no plain path.
 */
export function normalizeBasePath(raw: string): string {
  const path = raw.replace(/^\/*/, "/").replace(/\/+$/, "");
  if (path === "" || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+)+$/.test(path)) return path;
  throw new BowireError("usage", `cannot mount at "${raw}": that is no path`, {
    hint: 'write segments of plain characters, as in "/bowire" or "/tools/bowire"',
  });
}

/** What is served at the root when that is the base path: all else there is the app's. */
const ROOT_PATHS = ["/mcp", "/api/mcp-adapter"];

/**
 * Whether a path is Bowire's to answer: at its base path or below it, by whole segments; at the root
 * only what it serves there.
 */
export function isServed(path: string, basePath: string): boolean {
  const bases = basePath === "" ? ROOT_PATHS : [basePath];
  return bases.some((base) => path === base || path.startsWith(`${base}/`));
}
