/**
 * What can be said to `bowire mcp serve`.
 *
 * @module
 */
import type { ToolNameStyle } from "../mcp/mod.ts";
import type { SandboxMode } from "../sandbox/mod.ts";

/** The options of `mcp serve` as commander collects them. */
export interface ServeOptions {
  readonly bind: "stdio" | "http";
  readonly port?: number;
  readonly host?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowHost?: readonly string[];
  readonly allowInsecureBind?: boolean;
  readonly allowUrl: readonly string[];
  readonly allowInvoke?: boolean;
  readonly allowArbitraryUrls?: boolean;
  readonly allowFiles: readonly string[];
  /** False for `--no-confirm`. */
  readonly confirm: boolean;
  /** False for `--no-env-allowlist`. */
  readonly envAllowlist: boolean;
  readonly sandbox: SandboxMode;
  readonly toolNames: ToolNameStyle;
  readonly stateless?: boolean;
}
