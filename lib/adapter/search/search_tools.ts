/**
 * Three tools in place of many: find a method, read about it, call it.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../../errors/mod.ts";
import type {
  DataOutcome,
  ObjectSchema,
  ToolCall,
  ToolDescription,
  ToolOutcome,
} from "../../mcp/mod.ts";
import type { MethodSchema } from "../../model/mod.ts";
import { cleanLine } from "../../schema/clean_text.ts";
import { parseJson } from "../../schema/mod.ts";
import { closest } from "../../schema/spelling/closest.ts";
import { refusalOf } from "../answers/failures.ts";
import { toArguments } from "../schema/arguments.ts";
import { portableInput, portableSchema } from "../schema/portable.ts";
import type { Surface } from "../tools/surface.ts";
import type { AdapterTool } from "../tools/tool.ts";

const FIND = "find_methods";
const DESCRIBE = "describe_method";
const CALL = "call_method";

/** Names of the three tools. */
export const SEARCH_TOOL_NAMES: readonly string[] = [FIND, DESCRIBE, CALL];

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 50;
/** Longest summary in a list. */
const MAX_SUMMARY = 200;

const findInput = z.strictObject({
  query: z.string().default("").describe("Words; leave out to list all"),
  limit: z.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  offset: z.number().int().min(0).max(1_000_000).default(0),
});
const describeInput = z.strictObject({ name: z.string().describe("As found") });
const callInput = z.strictObject({
  name: z.string().describe("As found"),
  arguments: z.record(z.string(), z.unknown()).default({}).describe("As described"),
});

const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The three tools as they are listed. */
export const SEARCH_TOOLS: readonly ToolDescription[] = [
  {
    name: FIND,
    title: "Find methods",
    description: "Search the methods of the API by words of names, paths, descriptions and fields.",
    inputSchema: inputSchemaOf(findInput),
    annotations: READS,
  },
  {
    name: DESCRIBE,
    title: "Describe a method",
    description: "The JSON Schema of a method's arguments and of its answer, and a sample.",
    inputSchema: inputSchemaOf(describeInput),
    annotations: READS,
  },
  {
    name: CALL,
    title: "Call a method",
    description: "Call a method with arguments that fit its schema.",
    inputSchema: inputSchemaOf(callInput),
    // It may be any method.
    annotations: {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
  },
];

/** What the three tools work with. */
export interface SearchRoom {
  readonly tools: Surface["tools"];
  /** Finds names of tools, the best first. */
  readonly find: (query: string) => Promise<readonly string[]>;
  /** All that is known of a tool's method. */
  readonly schemaOf: (tool: AdapterTool, signal: AbortSignal) => Promise<MethodSchema | undefined>;
  /** Calls a method's own tool. */
  readonly callTool: (tool: AdapterTool, call: ToolCall) => Promise<ToolOutcome>;
}

/** Runs one of the three; `undefined` for any other name. A failure is an outcome with `isError`. */
export async function runSearchTool(
  room: SearchRoom,
  call: ToolCall,
): Promise<ToolOutcome | undefined> {
  try {
    switch (call.name) {
      case FIND:
        return dataOf(await find(room, read(findInput, call)));
      case DESCRIBE: {
        const tool = toolNamed(room, read(describeInput, call).name);
        return dataOf(await describe(room, tool, call.signal));
      }
      case CALL: {
        const { name, arguments: args } = read(callInput, call);
        return await room.callTool(toolNamed(room, name), { ...call, name, arguments: args });
      }
      default:
        return undefined;
    }
  } catch (error) {
    return refusalOf(error);
  }
}

async function find(
  { tools, find }: SearchRoom,
  { query, limit, offset }: z.output<typeof findInput>,
): Promise<Record<string, unknown>> {
  const names = query.trim() === "" ? [...tools.keys()] : await find(query);
  const methods = names.slice(offset, offset + limit).flatMap((name) => {
    const tool = tools.get(name);
    return tool === undefined ? [] : [headOf(name, tool)];
  });
  const next = offset + limit;
  return { methods, total: names.length, ...(next < names.length ? { nextOffset: next } : {}) };
}

function headOf(name: string, { found: { method } }: AdapterTool): Record<string, unknown> {
  const { summary, description, httpMethod, httpPath, deprecated } = method;
  const about = cleanLine(summary ?? description ?? "", MAX_SUMMARY);
  return {
    name,
    ...(about === "" ? {} : { summary: about }),
    ...(httpMethod === undefined
      ? {}
      : { path: cleanLine(`${httpMethod} ${httpPath ?? ""}`, MAX_SUMMARY) }),
    ...(deprecated ? { deprecated } : {}),
  };
}

async function describe(
  { schemaOf }: SearchRoom,
  tool: AdapterTool,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const schema = await schemaOf(tool, signal);
  const { name, title, description, inputSchema } = tool.description;
  return {
    name,
    title,
    description,
    inputSchema,
    ...(schema?.output === undefined ? {} : { outputSchema: portableSchema(schema.output) }),
    ...(schema?.sample === undefined
      ? {}
      : { sample: toArguments(parseJson(schema.sample), tool.plan) }),
  };
}

function dataOf(data: Record<string, unknown>): DataOutcome {
  return { kind: "result", data, isError: false };
}

function toolNamed({ tools }: SearchRoom, name: string): AdapterTool {
  const tool = tools.get(name);
  if (tool !== undefined) return tool;
  const near = closest(name, tools.keys());
  throw new BowireError("unknown_method", `there is no method "${cleanLine(name, MAX_SUMMARY)}"`, {
    hint: near.length === 0 ? `search with ${FIND}` : `did you mean ${near.join(" or ")}?`,
  });
}

/** @throws {BowireError} `invalid_argument`, naming what does not fit. */
function read<Input extends z.ZodObject>(input: Input, call: ToolCall): z.output<Input> {
  const parsed = input.safeParse(call.arguments);
  if (parsed.success) return parsed.data;
  const sentence = parsed.error.issues
    .map(({ path, message }) => path.length === 0 ? message : `"${path.join(".")}" ${message}`)
    .join("; ");
  throw new BowireError("invalid_argument", `cannot run ${call.name}: ${sentence}`, {
    hint: `known arguments are: ${Object.keys(input.shape).join(", ")}`,
  });
}

function inputSchemaOf(input: z.ZodObject): ObjectSchema {
  return portableInput(JSON.stringify(z.toJSONSchema(input, { io: "input" }))).schema;
}
