/**
 * What tests want of an MCP client, whichever it is.
 *
 * @module
 */
import type { ToolResult } from "./conversation.ts";

/** A person's reaction to a question. */
export interface Reaction {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: { readonly confirm: boolean };
}

/** What a client is given besides the way. */
export interface ClientOptions {
  readonly name?: string;
  /** Answers questions; without it the client declares that it cannot ask. */
  readonly onQuestion?: (message: string) => Reaction;
}

/** A connected client, which checks results against the listed output schemas. */
export interface TestClient extends AsyncDisposable {
  /** The negotiated protocol revision. */
  readonly revision: string | undefined;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(
    name: string,
    args?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<ToolResult>;
}

/** How a tool is called. */
export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
  /** Hears the progress; without it the client asks for none. */
  readonly onProgress?: (progress: ToldProgress) => void;
}

/** The progress of a call as the client read it. */
export interface ToldProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A listed tool, as far as tests look at it. */
export interface ListedTool {
  readonly name: string;
  readonly outputSchema?: unknown;
}
