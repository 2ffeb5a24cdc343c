import type { Catalogue, ToolCall, ToolOutcome } from "../../lib/mcp/mod.ts";

const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool of a {@linkcode tinyCatalogue}. */
export type TinyTool = (call: ToolCall) => ToolOutcome | Promise<ToolOutcome>;

/** A catalogue of a few functions, by dotted name. */
export function tinyCatalogue(tools: Readonly<Record<string, TinyTool>>): Catalogue {
  return {
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
