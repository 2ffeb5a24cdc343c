/**
 * The built-in protocols. One line each; their code is loaded at its first use.
 *
 * @module
 */
import type { Plugin } from "../lib/protocol/mod.ts";
import { manifest as grpc } from "./grpc/manifest.ts";
import { manifest as mcp } from "./mcp/manifest.ts";
import { manifest as rest } from "./rest/manifest.ts";

/** All built-in protocols, in the order in which they are tried. */
export const plugins: readonly Plugin[] = [
  { manifest: rest, load: async () => (await import("./rest/plugin.ts")).createRest() },
  { manifest: grpc, load: async () => (await import("./grpc/plugin.ts")).createGrpc() },
  { manifest: mcp, load: async () => (await import("./mcp/plugin.ts")).createMcp() },
];

/**
 * The module that runs them in a worker. When all is bundled into one file, it lies beside that in
 * a folder of its own.
 */
export const worker = new URL(
  import.meta.url.endsWith("/plugins/mod.ts") ? "./worker.ts" : "./plugins/worker.js",
  import.meta.url,
);
