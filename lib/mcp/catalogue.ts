/**
 * What an MCP server offers, independent of transport, session and protocol era.
 *
 * @module
 */
import type { JSONObject } from "@modelcontextprotocol/server";
import type { Progress } from "../model/mod.ts";

/** Who the server says it is. */
export interface ServerIdentity {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** How to use the server, for the agent. */
  readonly instructions: string;
}

/** A JSON Schema (2020-12) whose root is an object. */
export interface ObjectSchema {
  type: "object";
  properties?: Record<string, JSONObject>;
  required?: string[];
  [keyword: string]: unknown;
}

/** The hints of a tool, all four always given. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** A tool as it is listed. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** A yes-or-no question to the person behind the client. */
export interface Question {
  readonly message: string;
  /** What a yes means, for the box that is ticked. */
  readonly label: string;
  /** Comes back with the answer; means nothing to the client. */
  readonly state: string;
}

/** The person's answer to a {@linkcode Question}. */
export interface Answer {
  readonly isYes: boolean;
  readonly state: string;
}

/** Who calls a tool, and how to reach them. */
export interface ToolCall {
  /** As listed, or the same name with `_` for `.`. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborts when the client cancels. */
  readonly signal: AbortSignal;
  /** Tells clients apart: session, token and client name as far as the transport knows them. */
  readonly principal: string;
  /** Whether the client can show a {@linkcode Question}. */
  readonly mayAsk: boolean;
  /** Set when the call comes again with an answer. */
  readonly answer?: Answer;
  /** Tells the client how far the call is; absent when it did not ask. */
  readonly report?: ((progress: Progress) => void) | undefined;
}

/** How a tool call ended. */
export type ToolOutcome =
  | {
    readonly kind: "result";
    readonly data: Readonly<Record<string, unknown>>;
    readonly isError: boolean;
  }
  | { readonly kind: "question"; readonly question: Question };

/** A set of tools. The server and the adapter are two of them. */
export interface Catalogue {
  readonly identity: ServerIdentity;
  /** In an order that does not change. */
  listTools(): readonly ToolDescription[];
  /**
   * Runs a tool. A tool that fails is a result with `isError`.
   *
   * @returns `undefined` when there is no such tool.
   */
  callTool(call: ToolCall): Promise<ToolOutcome | undefined>;
}
