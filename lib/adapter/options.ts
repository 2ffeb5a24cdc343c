/**
 * What can be set on an adapter, and what holds where nothing is.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { redactUrl } from "../gate/mod.ts";
import { MAX_TIMER_MS } from "../protocol/mod.ts";
import { compileFilters, type IsMeant, type MethodFilter } from "./reading/filters.ts";
import { checkForwarded, overlay } from "./headers.ts";
import { MIN_NAME_LIMIT } from "./tools/names.ts";

/** How methods are offered: each as a tool, or three tools that find, describe and call them. */
export type ToolsMode = "auto" | "all" | "search";

/** Sizes above which `auto` offers a search. */
export interface ToolBudget {
  /** Most tools. @default 128 */
  readonly tools?: number | undefined;
  /** Most bytes of the list as JSON. @default 262144 */
  readonly bytes?: number | undefined;
}

/** Everything that can be set on an adapter. */
export interface AdapterOptions {
  /** URLs of the APIs, each with or without a `hint@`; all must be on the allowlist. */
  readonly urls: readonly string[];
  /** Id of the only protocol to look for. @default all that claim a URL */
  readonly protocol?: string | undefined;
  /** Which methods become tools. @default all */
  readonly include?: MethodFilter | undefined;
  /** Which do not, whatever `include` says. @default none */
  readonly exclude?: MethodFilter | undefined;
  /** How methods are offered. @default "auto" */
  readonly tools?: ToolsMode | undefined;
  /** When `auto` offers a search. */
  readonly toolBudget?: ToolBudget | undefined;
  /** Longest name of a tool, from 24 to 128; clients add the server's name. @default 50 */
  readonly nameLimit?: number | undefined;
  /** Whether tools tell what they answer. @default false */
  readonly outputSchemas?: boolean | undefined;
  /** Longest answer that is shown whole, in characters. @default 100000 */
  readonly maxAnswerChars?: number | undefined;
  /** Headers or the like for all calls and discoveries, whatever the URL. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The same for one URL each, by the URL as it stands in `urls`. */
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /**
   * Names of headers of a client's HTTP request that are handed on to targets. Credentials, and what
   * belongs to the client's own connection, are refused. @default none
   */
  readonly forwardHeaders?: readonly string[] | undefined;
  /** For one call, in milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** For the discovery of one URL, in milliseconds. @default 60000 */
  readonly discoveryTimeoutMs?: number | undefined;
  /** How often the APIs are discovered anew, in seconds. @default never */
  readonly rediscoverSeconds?: number | undefined;
  /** Name in the MCP handshake. @default "bowire-adapter" */
  readonly serverName?: string | undefined;
}

/** Options with what holds by default. */
export interface Settings {
  /** Each once. */
  readonly urls: readonly string[];
  readonly protocol: string | undefined;
  readonly isMeant: IsMeant;
  readonly tools: ToolsMode;
  readonly toolBudget: { readonly tools: number; readonly bytes: number };
  readonly nameLimit: number;
  readonly outputSchemas: boolean;
  readonly maxAnswerChars: number;
  /** What the operator set for the calls of a URL. */
  readonly metadataFor: (url: string) => Readonly<Record<string, string>>;
  readonly forwardHeaders: readonly string[];
  readonly timeoutMs: number;
  readonly discoveryTimeoutMs: number;
  readonly rediscoverSeconds: number | undefined;
  readonly serverName: string;
}

/** From what to what the longest name of a tool may be set (MCP 2025-11-25, server/tools). */
export const NAME_LIMITS: readonly [low: number, high: number] = [MIN_NAME_LIMIT, 128];
/** Longest time of a timer, in seconds. */
const MAX_SECONDS = Math.floor(MAX_TIMER_MS / 1000);

/**
 * Checks options.
 *
 * @throws {BowireError} `usage` for what cannot be.
 */
export function settle(options: AdapterOptions): Settings {
  const { urls, metadata = {}, headers = {}, toolBudget = {} } = options;
  if (urls.length === 0) throw new BowireError("usage", "cannot adapt an API: no URL is given");
  const stray = Object.keys(metadata).find((url) => !urls.includes(url));
  if (stray !== undefined) {
    throw new BowireError(
      "usage",
      `cannot set metadata for "${redactUrl(stray)}": it is none of the URLs`,
      { hint: `they are: ${urls.map(redactUrl).join(", ")}` },
    );
  }
  const within = (
    name: keyof AdapterOptions,
    value: number,
    [low, high]: readonly [number, number],
  ) => {
    if (Number.isInteger(value) && value >= low && value <= high) return value;
    throw new BowireError(
      "usage",
      `cannot set ${name} to ${value}: it is a whole number from ${low} to ${high}`,
    );
  };
  const { rediscoverSeconds } = options;
  return {
    urls: [...new Set(urls)],
    protocol: options.protocol,
    isMeant: compileFilters(options.include, options.exclude),
    tools: options.tools ?? "auto",
    toolBudget: { tools: toolBudget.tools ?? 128, bytes: toolBudget.bytes ?? 256 * 1024 },
    nameLimit: within("nameLimit", options.nameLimit ?? 50, NAME_LIMITS),
    outputSchemas: options.outputSchemas ?? false,
    maxAnswerChars: within("maxAnswerChars", options.maxAnswerChars ?? 100_000, [1, 1e9]),
    metadataFor: (url) => overlay(headers, metadata[url] ?? {}),
    forwardHeaders: checkForwarded(options.forwardHeaders ?? []),
    timeoutMs: options.timeoutMs ?? 30_000,
    discoveryTimeoutMs: options.discoveryTimeoutMs ?? 60_000,
    rediscoverSeconds: rediscoverSeconds === undefined
      ? undefined
      : within("rediscoverSeconds", rediscoverSeconds, [1, MAX_SECONDS]),
    serverName: options.serverName ?? "bowire-adapter",
  };
}
