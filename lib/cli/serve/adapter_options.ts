/**
 * What can be said about the tools that are made of an API.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import type { AdapterOptions, MethodFilter, ToolBudget, ToolsMode } from "../../adapter/mod.ts";
import { NAME_LIMITS } from "../../adapter/options.ts"; // without the adapter itself
import { textsIn } from "../reach/schemas.ts";

/** Where the options stand in the help. */
export const ADAPTER_GROUP = "Adapter options:";

const MODES: readonly ToolsMode[] = ["auto", "all", "search"];
const FILTER_KINDS = ["service", "tag", "method", "glob"] as const;

/** The options. */
export function adapterOptions(): Option[] {
  return [
    new Option(
      "--tools <mode>",
      "each method as a tool, or a search over them; auto: by the budget",
    )
      .choices(MODES).default("auto"),
    new Option(
      "--tool-budget <tools[,size]>",
      "when auto offers a search: above so many tools, or bytes of their list (default 128,256KB)",
    ).argParser(parseBudget),
    new Option("--tool-name-limit <n>", "longest name of a tool (default 50)")
      .argParser(parseNameLimit),
    new Option(
      "--include <filter...>",
      "only these methods: service:GLOB, tag:GLOB, method:VERB, or a GLOB of SERVICE/METHOD",
    ).argParser(collectFilter),
    new Option("--exclude <filter...>", "without these methods, whatever is included")
      .argParser(collectFilter),
    new Option("--output-schemas", "tell what the tools answer"),
    new Option("--max-answer-chars <n>", "longest answer that is shown whole (default 100000)")
      .argParser(parseCount),
    new Option("--call-timeout-ms <n>", "time limit of a call in milliseconds (default 30000)")
      .argParser(parseCount),
    new Option("--rediscover <seconds>", "look at the APIs again every so often")
      .argParser(parseCount),
    new Option(
      "--header-for <url name:value>",
      "send a header to one of several URLs, as in 'http://localhost:8080 X-Key: abc' (repeatable)",
    ).argParser(collectText),
    new Option(
      "--forward-header <name...>",
      "hand this header of agents' own requests on to the API; never Authorization",
    ),
  ].map((option) => option.helpGroup(ADAPTER_GROUP));
}

/**
 * The adapter that was asked for.
 *
 * @param metadata of each URL.
 */
export function adapterOf(
  options: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, Readonly<Record<string, string>>>>,
): AdapterOptions {
  const numberOf = (name: string) => {
    const value = options[name];
    return typeof value === "number" ? value : undefined;
  };
  const { include, exclude, toolBudget } = options;
  return {
    urls: Object.keys(metadata),
    metadata,
    include: isFilter(include) ? include : undefined,
    exclude: isFilter(exclude) ? exclude : undefined,
    tools: MODES.find((mode) => mode === options.tools),
    toolBudget: isBudget(toolBudget) ? toolBudget : undefined,
    nameLimit: numberOf("toolNameLimit"),
    outputSchemas: options.outputSchemas === true,
    maxAnswerChars: numberOf("maxAnswerChars"),
    timeoutMs: numberOf("callTimeoutMs"),
    rediscoverSeconds: numberOf("rediscover"),
    forwardHeaders: textsIn(options.forwardHeader),
  };
}

/** Headers by the URL that they are for, as it was typed. */
export function headersByUrl(
  { headerFor }: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const headers = new Map<string, Record<string, string>>();
  for (const text of textsIn(headerFor)) {
    const [, url = "", name = "", value = ""] = HEADER_FOR.exec(text) ?? [];
    headers.set(url, { ...headers.get(url), [name]: value });
  }
  return headers;
}

/** URL, name and value. */
const HEADER_FOR = /^(\S+)\s+([^\s:]+)\s*:\s*(.*)$/s;

function collectText(text: string, known: string[] = []): string[] {
  if (HEADER_FOR.test(text)) return [...known, text];
  throw new InvalidArgumentError("write it as 'URL Name: value'.");
}

function collectFilter(text: string, known: MethodFilter = {}): MethodFilter {
  const colon = text.indexOf(":");
  const named = FILTER_KINDS.find((kind) => kind === text.slice(0, colon));
  const kind = named ?? "glob";
  const pattern = named === undefined ? text : text.slice(colon + 1);
  return { ...known, [kind]: [...known[kind] ?? [], pattern] };
}

function parseBudget(text: string): ToolBudget {
  const [, tools, size, unit = ""] = /^(\d+)(?:,(\d+)(k|kb|m|mb)?)?$/i.exec(text) ?? [];
  if (tools === undefined) throw new InvalidArgumentError("write it as 200 or 200,512KB.");
  const factor = /^m/i.test(unit) ? 1024 * 1024 : /^k/i.test(unit) ? 1024 : 1;
  return {
    tools: Number(tools),
    ...(size === undefined ? {} : { bytes: Number(size) * factor }),
  };
}

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("write a whole number above 0.");
}

function parseNameLimit(text: string): number {
  const limit = Number(text);
  const [low, high] = NAME_LIMITS;
  if (Number.isInteger(limit) && limit >= low && limit <= high) return limit;
  throw new InvalidArgumentError(`write a whole number from ${low} to ${high}.`);
}

// What the parsers above have made.
function isFilter(value: unknown): value is MethodFilter {
  return typeof value === "object" && value !== null;
}

function isBudget(value: unknown): value is ToolBudget {
  return typeof value === "object" && value !== null;
}
