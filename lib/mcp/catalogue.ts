/**
 * What an MCP server offers, independent of transport, session and protocol era.
 *
 * @module
 */
import type { JSONObject } from "@modelcontextprotocol/server";
import type { Progress } from "../model/mod.ts";
import type { ContentBlock, Prompts, Resources } from "./content.ts";

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
  /** For clients that know its keys; goes out as it is. */
  readonly _meta?: Readonly<Record<string, unknown>>;
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
  /**
   * The headers of the HTTP request that brought the call, names in lower case; absent over stdio.
   * They hold credentials: they are never logged.
   */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A tool call that ended with data. */
export interface DataOutcome {
  readonly kind: "result";
  /** Goes out as JSON text and as `structuredContent`. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A tool call that ended with blocks of any kind. */
export interface ContentOutcome {
  readonly kind: "content";
  readonly content: readonly ContentBlock[];
  /** Goes out as `structuredContent`; needed when the tool has an output schema. */
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

/** A tool call that waits for an answer. */
export interface QuestionOutcome {
  readonly kind: "question";
  readonly question: Question;
}

/** How a tool call ended. */
export type ToolOutcome = DataOutcome | ContentOutcome | QuestionOutcome;

/** A list of a catalogue. */
export type ListName = "tools" | "resources" | "prompts";

/** What an MCP server offers. The server and the adapter are two catalogues. */
export interface Catalogue {
  readonly identity: ServerIdentity;
  /** In an order that changes only with the list. */
  listTools(): readonly ToolDescription[];
  /**
   * Runs a tool. A tool that fails is a result with `isError`.
   *
   * @returns `undefined` when there is no such tool.
   */
  callTool(call: ToolCall): Promise<ToolOutcome | undefined>;
  /** Absent when there are never any: clients are then not told of resources. */
  readonly resources?: Resources;
  /** Absent when there are never any: clients are then not told of prompts. */
  readonly prompts?: Prompts;
  /**
   * Calls `listener` each time a list has changed; absent when no list ever changes.
   *
   * @returns a function that stops it.
   */
  onChange?(listener: (list: ListName) => void): () => void;
}
