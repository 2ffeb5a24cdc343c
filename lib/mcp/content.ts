/**
 * Resources and prompts, and the content that they share with the results of tools.
 *
 * @module
 */

/** One block of a result or of a prompt (MCP 2025-11-25, server/tools). */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | {
    readonly type: "image" | "audio";
    /** Base64. */
    readonly data: string;
    readonly mimeType: string;
  }
  | { readonly type: "resource"; readonly resource: ResourceContents }
  | (ResourceDescription & { readonly type: "resource_link" });

/** A resource as it is listed. */
export interface ResourceDescription {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes, before any encoding. */
  readonly size?: number;
}

/** What a resource holds: text, or bytes. */
export type ResourceContents =
  & { readonly uri: string; readonly mimeType?: string }
  & (
    | { readonly text: string }
    | {
      /** Base64. */
      readonly blob: string;
    }
  );

/** The resources of a catalogue. */
export interface Resources {
  /** In an order that changes only with the list. */
  list(): readonly ResourceDescription[];
  /**
   * Reads one resource.
   *
   * @returns `undefined` when there is no such resource.
   * @throws {BowireError} when it cannot be read.
   */
  read(uri: string, signal: AbortSignal): Promise<readonly ResourceContents[] | undefined>;
}

/** One argument of a prompt; its value is text. */
export interface PromptArgument {
  readonly name: string;
  readonly description?: string;
  /** @default false */
  readonly required?: boolean;
}

/** A prompt as it is listed. */
export interface PromptDescription {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly PromptArgument[];
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
}

/** A prompt with its arguments filled in. */
export interface Prompt {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** The prompts of a catalogue. */
export interface Prompts {
  /** In an order that changes only with the list. */
  list(): readonly PromptDescription[];
  /**
   * Fills in one prompt.
   *
   * @returns `undefined` when there is no such prompt.
   * @throws {BowireError} `invalid_argument` when the arguments are not what the prompt takes.
   */
  get(
    name: string,
    args: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<Prompt | undefined>;
}
