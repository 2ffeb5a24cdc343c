/**
 * Catalogue 2: any API as an MCP server. Each method that is answered once is a tool.
 *
 * @module
 */
import type { Catalogue } from "../mcp/mod.ts";
import type { Missed } from "./reading/read_all.ts";
import type { Figures } from "./tools/view.ts";

/** What a discovery has brought. */
export interface Rediscovery {
  /** Whether names, descriptions or schemas of methods are others now. */
  readonly changed: boolean;
  /** The URLs that could not be discovered, and why; their tools are as they were. */
  readonly missed: readonly Missed[];
}

/** APIs as an MCP server. */
export interface Adapter extends Required<Catalogue>, AsyncDisposable {
  /** How many tools there are, and what their list costs a client. */
  figures(): Figures;
  /** The same in one line for people. */
  report(): string;
  /**
   * Discovers the APIs anew. Who asks while that goes on waits for the same discovery. A URL that
   * cannot be discovered keeps its tools.
   *
   * @param signal ends the waiting.
   * @throws {BowireError} `cancelled` when the adapter is closed.
   */
  rediscover(signal?: AbortSignal): Promise<Rediscovery>;
  /** Ends calls and discoveries that go on. */
  close(): Promise<void>;
}
