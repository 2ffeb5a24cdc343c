/**
 * Prompts that start a conversation about a service or a method.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import type { Prompt, PromptDescription, Prompts } from "../mcp/mod.ts";
import type { Method, MethodSchema } from "../model/mod.ts";
import { cleanLine } from "../schema/clean_text.ts";
import { parseJson } from "../schema/mod.ts";
import { closest } from "../schema/spelling/closest.ts";
import { type ServiceEntry, viewService } from "./resources.ts";
import { toArguments } from "./schema/arguments.ts";
import type { AdapterTool } from "./tools/tool.ts";

const DESCRIBE = "describe-service";
const SAMPLE = "generate-sample-request";

/** Most characters of a service in a prompt; beyond, the names of its methods stand alone. */
const MAX_SERVICE_CHARS = 50_000;
/** Most names in a hint. */
const MAX_LISTED = 20;
const MAX_NAME = 200;

const SERVICE = { name: "service", description: "Name of a service, as listed", required: true };
const METHOD = { name: "method", description: "Name of one of its methods", required: true };

const PROMPTS: readonly PromptDescription[] = [
  {
    name: DESCRIBE,
    title: "Describe a service",
    description: "What a service is for, and what its methods do",
    arguments: [SERVICE],
  },
  {
    name: SAMPLE,
    title: "Generate a sample request",
    description: "Arguments for a method that are likely to work",
    arguments: [SERVICE, METHOD],
  },
];

/** What prompts are made of. */
export interface PromptRoom {
  readonly services: () => readonly ServiceEntry[];
  /** A service with the fields of its messages. */
  readonly wholeOf: (entry: ServiceEntry) => Promise<ServiceEntry>;
  /** The tool of a method, if it has one. */
  readonly toolOf: (entry: ServiceEntry, method: Method) => AdapterTool | undefined;
  /** All that is known of a tool's method. */
  readonly schemaOf: (tool: AdapterTool, signal: AbortSignal) => Promise<MethodSchema | undefined>;
}

/** The prompts over what was discovered. */
export function createPrompts(room: PromptRoom): Prompts {
  return {
    list: () => PROMPTS,
    async get(name, args, signal) {
      if (name === DESCRIBE) {
        return describePrompt(await room.wholeOf(findService(room, argument(args, "service"))));
      }
      if (name !== SAMPLE) return undefined;
      const entry = findService(room, argument(args, "service"));
      return await samplePrompt(room, {
        entry,
        method: findMethod(entry, argument(args, "method")),
        signal,
      });
    },
  };
}

function describePrompt(entry: ServiceEntry): Prompt {
  const whole = JSON.stringify(viewService(entry));
  const names = entry.service.methods.map(({ name, methodType }) => ({ name, methodType }));
  const text = whole.length <= MAX_SERVICE_CHARS
    ? whole
    : JSON.stringify({ ...viewService(entry), methods: names }).slice(0, MAX_SERVICE_CHARS);
  return promptOf(
    `Describe the ${entry.plugin} service "${nameOf(entry)}": what it is for, what each of its ` +
      `methods does, and how they work together. This is its description, as data:\n\n${text}`,
  );
}

async function samplePrompt(
  { toolOf, schemaOf }: PromptRoom,
  { entry, method, signal }: { entry: ServiceEntry; method: Method; signal: AbortSignal },
): Promise<Prompt> {
  const tool = toolOf(entry, method);
  const sample = tool === undefined ? undefined : (await schemaOf(tool, signal))?.sample;
  const shown = tool === undefined || sample === undefined
    ? []
    : [`These fit its schema:\n\n${JSON.stringify(toArguments(parseJson(sample), tool.plan))}`];
  const schema = tool === undefined
    ? []
    : [`Its JSON Schema is:\n\n${JSON.stringify(tool.description.inputSchema)}`];
  const call = tool === undefined ? "" : ` It is called by the tool ${tool.description.name}.`;
  return promptOf(
    [
      `Write realistic arguments, as JSON, for the method "${cleanLine(method.name, MAX_NAME)}" ` +
      `of the ${entry.plugin} service "${nameOf(entry)}".${call}`,
      ...schema,
      ...shown,
    ].join("\n\n"),
  );
}

function promptOf(text: string): Prompt {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}

function nameOf({ service }: ServiceEntry): string {
  return cleanLine(service.name, MAX_NAME);
}

function argument(args: Readonly<Record<string, string>>, name: string): string {
  const value = Object.hasOwn(args, name) ? args[name] : undefined;
  if (value !== undefined && value !== "") return value;
  throw new BowireError("invalid_argument", `cannot fill in the prompt: "${name}" is missing`);
}

function findService({ services }: PromptRoom, name: string): ServiceEntry {
  const all = services();
  const found = all.find(({ service }) => service.name === name);
  if (found !== undefined) return found;
  throw new BowireError(
    "unknown_service",
    `there is no service "${cleanLine(name, MAX_NAME)}"`,
    hintOn(name, all.map(({ service }) => service.name)),
  );
}

function findMethod({ service }: ServiceEntry, name: string): Method {
  const found = service.methods.find((method) => method.name === name || method.fullName === name);
  if (found !== undefined) return found;
  throw new BowireError(
    "unknown_method",
    `there is no method "${cleanLine(name, MAX_NAME)}" in "${cleanLine(service.name, MAX_NAME)}"`,
    hintOn(name, service.methods.map((method) => method.name)),
  );
}

function hintOn(wanted: string, names: readonly string[]): { hint: string } {
  const near = closest(wanted, names);
  const shown = near.length > 0 ? near : names.slice(0, MAX_LISTED);
  return { hint: `${near.length > 0 ? "near are" : "known are"}: ${shown.join(", ")}` };
}
