/**
 * Bowire as a library: explore and call APIs, and let agents do so over MCP, from inside a Deno app.
 *
 * @example Serve MCP next to an app of your own
 * ```ts
 * import { createBowire } from "@bowire/cli/mod";
 *
 * const bowire = await createBowire({
 *   home: ".bowire",
 *   allowedServerUrls: ["https://api.example.com"],
 *   loadAllowlistFromEnvironments: false,
 * });
 * const manifest = await bowire.fetch(new Request("http://localhost/bowire/mcp/manifest"));
 * console.assert(manifest?.status === 200);
 * console.assert(await bowire.fetch(new Request("http://localhost/orders")) === null);
 * await bowire.close();
 * ```
 *
 * @module
 */
import { type Bowire, type BowireOptions, composeBowire } from "./lib/bowire.ts";
import { resolveHome } from "./lib/store/mod.ts";
import { plugins, worker } from "./plugins/mod.ts";

/** Options of {@linkcode createBowire}. */
export interface CreateBowireOptions extends BowireOptions {
  /** The home folder. @default `BOWIRE_DATA_DIR`, else `.bowire` in the user's profile */
  readonly home?: string | undefined;
}

/**
 * Makes a Bowire with the built-in protocols. Close it at the end: the worker that runs them keeps
 * the process alive.
 *
 * @throws {BowireError} `invalid_url` for a bad URL in the options, `usage` when no home folder is
 * given and none can be found, or when plugins are to run in a worker and cannot.
 */
export async function createBowire(options: CreateBowireOptions = {}): Promise<Bowire> {
  const home = options.home ?? resolveHome();
  return await composeBowire(options, { home, plugins, worker });
}

export type { Bowire, BowireOptions } from "./lib/bowire.ts";
export type { DiscoverOptions, Invoked, InvokeRequest } from "./lib/call/mod.ts";
export { BowireError, type BowireErrorOptions, type ErrorCode } from "./lib/errors/mod.ts";
export type { HostOptions } from "./lib/host/mod.ts";
export { ForwardingMcpTransport, type RelayStreamsOptions } from "./lib/forwarder/mod.ts";
export type { AccessEntry, ConnectionInfo, HttpFaceOptions } from "./lib/http/mod.ts";
export type { BodyLimits, HttpCaller, ToolNameStyle } from "./lib/mcp/mod.ts";
export type { AdapterOptions, MethodFilter, ToolBudget, ToolsMode } from "./lib/adapter/mod.ts";
export type * from "./lib/model/mod.ts";
export type { App, Apps, AskPerson, ProgramCommand, Programs } from "./lib/protocol/mod.ts";
export type { SandboxMode } from "./lib/sandbox/mod.ts";
export { VERSION } from "./lib/version.ts";
