/**
 * How a tool of Bowire is defined: one definition gives the MCP tool, the command line verb, the
 * confirmation step and the reference page.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../errors/mod.ts";
import type { Host } from "../host/mod.ts";
import type { ToolAnnotations, ToolCall, ToolDescription } from "../mcp/mod.ts";
import { toSchema } from "./tool_schema.ts";

/** What a tool does to the world: look, call an API, or change something of Bowire's own. */
export type Access = "read" | "call" | "change";

/** What a running tool knows of who waits for it. */
export type Waiting = Pick<ToolCall, "signal" | "report">;

/** A tool as its author writes it. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  /** Documented name, with dots. */
  readonly name: string;
  readonly title: string;
  /** For the agent: what it does, when to use it, what comes back. */
  readonly description: string;
  readonly access: Access;
  /** True when the tool reaches beyond Bowire. @default true for `call`, else false */
  readonly opensWorld?: boolean;
  readonly input: Input;
  readonly output: Output;
  /** What a change would do, in a sentence for the person who is asked. Throws on bad arguments. */
  plan?(host: Host, input: z.output<Input>): string;
  run(host: Host, input: z.output<Input>, waiting: Waiting): Promise<z.output<Output>>;
  /** True when the output tells of a failure. */
  isFailure?(output: z.output<Output>): boolean;
}

/** A tool whose arguments are known only to itself. */
export interface Tool<Data = unknown> {
  readonly description: ToolDescription;
  readonly access: Access;
  /** Reads the tool's own result back from plain data. @throws {z.ZodError} when it is none. */
  read(data: unknown): Data;
  /**
   * Checks arguments.
   *
   * @throws {BowireError} `invalid_argument`, naming every violation.
   */
  prepare(args: Readonly<Record<string, unknown>>): PreparedTool;
}

/** A tool with arguments that fit. */
export interface PreparedTool {
  /** The tool's own arguments, without the two of the confirmation step. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Empty for a tool that changes nothing. */
  readonly confirmation: z.output<typeof confirmationInput>;
  plan(host: Host): string;
  run(
    host: Host,
    waiting: Waiting,
  ): Promise<{ data: Record<string, unknown>; isFailure: boolean }>;
}

/** Arguments that every change understands besides its own. */
const confirmationInput = z.strictObject({
  confirm: z.boolean().optional().describe(
    "true on a second call with the same arguments, once the user agreed",
  ),
  confirmationToken: z.string().optional().describe(
    "the token of the pending answer, once the user agreed",
  ),
});

/** What a change answers while it waits for a confirmation. */
const pendingOutput = {
  pending: z.boolean().optional().describe("true while the change waits for a confirmation"),
  confirmationToken: z.string().optional(),
  kind: z.string().optional().describe("the tool that waits"),
  plan: z.string().optional().describe("what the change would do"),
  note: z.string().optional(),
};

/** What a failure answers instead: clients hold it against the same schema (SDK 1 does). */
const errorOutput = z.looseObject({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  hint: z.string().optional().describe("what to do next"),
});

/** Makes a tool of a definition. Its JSON Schemas are made when somebody asks for them. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool<z.output<Output>> {
  const { name, title, description, access, input, output } = definition;
  const isChange = access === "change";
  const wholeInput = isChange ? input.extend(confirmationInput.shape) : input;
  const inputSchema = once(() => toSchema(wholeInput, "input"));
  const outputSchema = once(() =>
    toSchema(
      z.object({
        ...(isChange ? pendingOutput : {}),
        ...output.partial().shape,
        error: errorOutput.optional(),
      }),
      "output",
    )
  );
  return {
    access,
    read: (data) => output.parse(data),
    description: {
      name,
      title,
      description,
      get inputSchema() {
        return inputSchema();
      },
      get outputSchema() {
        return outputSchema();
      },
      annotations: annotate(access, definition.opensWorld ?? access === "call"),
    },
    prepare(given) {
      const { args, confirmation } = isChange ? split(given) : { args: given, confirmation: {} };
      const parsed = input.safeParse(args);
      const agreed = confirmationInput.safeParse(confirmation);
      if (!parsed.success || !agreed.success) {
        const issues = [...parsed.error?.issues ?? [], ...agreed.error?.issues ?? []];
        throw badArguments(name, Object.keys(wholeInput.shape), issues);
      }
      return {
        args,
        confirmation: agreed.data,
        plan: (host) => definition.plan?.(host, parsed.data) ?? title,
        async run(host, waiting) {
          const data = await definition.run(host, parsed.data, waiting);
          return { data, isFailure: definition.isFailure?.(data) ?? false };
        },
      };
    },
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** The arguments of a change, those of the confirmation step apart. */
function split({ confirm, confirmationToken, ...args }: Readonly<Record<string, unknown>>) {
  return { args, confirmation: { confirm, confirmationToken } };
}

function annotate(access: Access, openWorldHint: boolean): ToolAnnotations {
  return {
    readOnlyHint: access === "read",
    destructiveHint: access === "call",
    idempotentHint: access !== "call",
    openWorldHint,
  };
}

function badArguments(
  tool: string,
  known: readonly string[],
  issues: readonly z.core.$ZodIssue[],
): BowireError {
  const violations = issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
        path: [...issue.path, key].join("."),
        message: "is not an argument",
      }))
      : [{ path: issue.path.join("."), message: issue.message }]
  );
  const sentence = violations.map(({ path, message }) => `"${path}" ${message}`).join("; ");
  return new BowireError("invalid_argument", `cannot run ${tool}: ${sentence}`, {
    hint: `known arguments are: ${known.join(", ")}`,
    details: { violations },
  });
}
