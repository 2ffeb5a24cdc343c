/**
 * Tools, resources and prompts as methods: what each takes and gives, and how it is asked for.
 *
 * @module
 */
import { parseTemplate } from "url-template";
import type { MethodHints } from "../../../lib/model/mod.ts";
import { BowireError } from "../../../lib/errors/mod.ts";
import { isObject, type JsonObject } from "../../../lib/schema/json_schema.ts";
import type { Message } from "../wire/message.ts";
import type { Item, Prompt, Resource, Tool } from "./items.ts";
import type { RootedSchema } from "./schemas.ts";
import type { Surface } from "./surface.ts";

/** A method of a server. */
export interface McpMethod {
  readonly item: Item;
  /** Of its arguments, as the server wrote it. */
  readonly input: RootedSchema;
  /** Of its result. */
  readonly output: RootedSchema;
  readonly resultName: string;
  readonly hints?: MethodHints | undefined;
  readonly summary?: string | undefined;
  /** The tool that it is. */
  readonly tool?: Tool;
  /** The request that asks for it. @throws {BowireError} `invalid_argument` */
  request(args: JsonObject): Message;
}

/** The services, in the order in which they are shown. */
export const SERVICES = ["Tools", "Resources", "Resource Templates", "Prompts"] as const;

/** The methods of a service; none for a service that there is not. */
export function methodsOf(surface: Surface, service: string): McpMethod[] {
  switch (service) {
    case "Tools":
      return surface.tools.map(toolMethod);
    case "Resources":
      return surface.resources.map(resourceMethod);
    case "Resource Templates":
      return surface.templates.map(templateMethod);
    case "Prompts":
      return surface.prompts.map(promptMethod);
    default:
      return [];
  }
}

const READING: MethodHints = { readOnly: true, idempotent: true };
const BLOCKS = { type: "array", items: { type: "object" } };

function toolMethod(tool: Tool): McpMethod {
  const { name, inputSchema, outputSchema, hints } = tool;
  return {
    item: tool,
    tool,
    input: { schema: inputSchema },
    hints,
    resultName: "ToolResult",
    output: {
      root: outputSchema,
      schema: {
        type: "object",
        properties: {
          content: BLOCKS,
          ...(isObject(outputSchema) ? { structuredContent: outputSchema } : {}),
          isError: { type: "boolean" },
        },
      },
    },
    request: (args) => ({ method: "tools/call", params: { name, arguments: args } }),
  };
}

const RESOURCE_OUTPUT = { schema: { type: "object", properties: { contents: BLOCKS } } };

function resourceMethod(resource: Resource): McpMethod {
  return {
    item: resource,
    input: { schema: { type: "object", additionalProperties: false } },
    hints: READING,
    summary: resource.mediaType,
    resultName: "ResourceContents",
    output: RESOURCE_OUTPUT,
    request: () => ({ method: "resources/read", params: { uri: resource.name } }),
  };
}

function templateMethod(resource: Resource): McpMethod {
  const names = variablesIn(resource.name);
  return {
    item: resource,
    input: {
      schema: {
        type: "object",
        properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
        additionalProperties: false,
      },
    },
    hints: READING,
    summary: resource.mediaType,
    resultName: "ResourceContents",
    output: RESOURCE_OUTPUT,
    request: (args) => ({ method: "resources/read", params: { uri: expand(resource.name, args) } }),
  };
}

function promptMethod(prompt: Prompt): McpMethod {
  const { name } = prompt;
  const required = prompt.arguments.filter((argument) => argument.required);
  return {
    item: prompt,
    input: {
      schema: {
        type: "object",
        properties: Object.fromEntries(
          prompt.arguments.map(({ name, title, description }) => [
            name,
            { type: "string", ...(title && { title }), ...(description && { description }) },
          ]),
        ),
        ...(required.length === 0 ? {} : { required: required.map(({ name }) => name) }),
      },
    },
    hints: READING,
    resultName: "PromptMessages",
    output: {
      schema: {
        type: "object",
        properties: { description: { type: "string" }, messages: BLOCKS },
      },
    },
    request: (args) => ({ method: "prompts/get", params: { name, arguments: args } }),
  };
}

/** The variables of a template (RFC 6570, 2.3). */
function variablesIn(template: string): string[] {
  const names = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((variable) => variable.replace(/(?:\*|:\d+)$/, ""));
  return [...new Set(names)].filter((name) => name !== "");
}

/** @throws {BowireError} `invalid_argument` for a template that is none. */
function expand(template: string, args: JsonObject): string {
  const values = Object.entries(args).map(([name, value]) => [name, String(value)]);
  try {
    return parseTemplate(template).expand(Object.fromEntries(values));
  } catch (cause) {
    const message = `cannot read "${template}": it is no URI template`;
    throw new BowireError("invalid_argument", message, { cause });
  }
}
