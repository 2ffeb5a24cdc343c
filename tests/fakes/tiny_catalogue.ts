import { BowireError } from "../../lib/errors/mod.ts";
import type {
  Catalogue,
  ListName,
  Prompts,
  Resources,
  ToolCall,
  ToolOutcome,
} from "../../lib/mcp/mod.ts";

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool of a {@linkcode tinyCatalogue}. */
export type TinyTool = (call: ToolCall) => ToolOutcome | Promise<ToolOutcome>;

/** What a tiny catalogue may have besides its tools. */
export type TinyParts = Pick<Catalogue, "resources" | "prompts" | "onChange">;

/** A catalogue of a few functions, by dotted name. */
export function tinyCatalogue(
  tools: Readonly<Record<string, TinyTool>>,
  parts: TinyParts = {},
): Catalogue {
  return {
    ...parts,
    identity: { name: "tiny", title: "Tiny", version: "1.2.3", instructions: "Use it well." },
    listTools: () =>
      Object.keys(tools).map((name) => ({
        name,
        title: `Title of ${name}`,
        description: `Does ${name}.`,
        inputSchema: { type: "object" },
        annotations: ANNOTATIONS,
      })),
    async callTool(call) {
      const found = Object.entries(tools).find(([name]) =>
        [name, name.replaceAll(".", "_")].includes(call.name)
      );
      return await found?.[1](call);
    },
  };
}

/** A result that went well. */
export function resultOf(data: Readonly<Record<string, unknown>>): ToolOutcome {
  return { kind: "result", data, isError: false };
}

/** Gives its arguments back. */
export const echo: TinyTool = (call) => resultOf({ arguments: call.arguments });

/** Tells who calls. */
export const whoami: TinyTool = (call) =>
  resultOf({ principal: call.principal, mayAsk: call.mayAsk });

/** Asks the person once, then says what came back. */
export const ask: TinyTool = (call) =>
  call.answer === undefined
    ? {
      kind: "question",
      question: { message: "Shall it be?", label: "Let it be", state: "state-1" },
    }
    : resultOf({ isYes: call.answer.isYes, state: call.answer.state });

/** Texts by URI; one that is a function is called, to throw. */
export function tinyResources(texts: Readonly<Record<string, string | (() => never)>>): Resources {
  return {
    list: () => Object.keys(texts).map((uri) => ({ uri, name: `Name of ${uri}` })),
    read(uri) {
      const text = texts[uri];
      if (text === undefined) return Promise.resolve(undefined);
      return Promise.try(() => [{ uri, text: typeof text === "string" ? text : text() }]);
    },
  };
}

/** A prompt that greets the person in `who`. */
export const tinyPrompts: Prompts = {
  list: () => [{ name: "greet", arguments: [{ name: "who", required: true }] }],
  async get(name, { who }) {
    if (name !== "greet") return undefined;
    if (who === undefined) {
      throw new BowireError("invalid_argument", 'cannot greet without "who"', { hint: "name one" });
    }
    return await Promise.resolve({
      messages: [{ role: "user", content: { type: "text", text: `Hello, ${who}.` } }],
    });
  },
};

/** Lists that change when a test says so. */
export class TinyChanges {
  readonly #listeners = new Set<(list: ListName) => void>();

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }

  readonly onChange = (listener: (list: ListName) => void): () => void => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Says that lists have changed. */
  tell(...lists: readonly ListName[]): void {
    for (const list of lists) {
      for (const listener of this.#listeners) listener(list);
    }
  }
}
