/**
 * A catalogue as an MCP server of the SDK, for one connection or one request.
 *
 * @module
 */
import {
  type McpRequestContext,
  Server,
  type ServerCapabilities,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import type { Catalogue } from "./catalogue.ts";
import { LegacyServer } from "./legacy_server.ts";
import { servePrompts } from "./methods/prompts.ts";
import { serveResources } from "./methods/resources.ts";
import { serveTools } from "./methods/tools.ts";
import type { ToolNameStyle } from "./names.ts";

/** How long a client may keep a list that only changes with the version, in milliseconds. */
const FIXED_LIST_TTL_MS = 5 * 60_000;
/** How long a client may keep a list that can change while it is connected, in milliseconds. */
const CHANGING_LIST_TTL_MS = 10_000;

/** How a catalogue is shown. */
export interface ConnectOptions {
  /** @default "auto" */
  readonly toolNames?: ToolNameStyle;
  /** Told of trouble that no answer can carry. */
  readonly onError?: (error: Error) => void;
}

/** How servers of a catalogue are made. */
export interface ServerFactoryOptions extends ConnectOptions {
  /** Whether there is a way to tell clients that a list has changed. @default true */
  readonly canTell?: boolean;
}

/** Makes a server of the SDK for one connection or one request. */
export type ServerFactory = (context: McpRequestContext) => Server;

/** Makes a fresh server each time: one is never shared between clients. */
export function createServerFactory(
  catalogue: Catalogue,
  { toolNames = "auto", onError = () => {}, canTell = true }: ServerFactoryOptions = {},
): ServerFactory {
  const { name, title, version, instructions } = catalogue.identity;
  const options: ServerOptions = {
    capabilities: capabilitiesOf(catalogue, canTell),
    instructions,
    cacheHints: cacheHintsOf(catalogue),
  };
  return ({ era, requestInfo }) => {
    const server = new (era === "legacy" ? LegacyServer : Server)(
      { name, title, version },
      options,
    );
    serveTools(server, catalogue, { style: toolNames, onError, opening: requestInfo });
    const { resources, prompts } = catalogue;
    if (resources !== undefined) serveResources(server, resources, { onError });
    if (prompts !== undefined) servePrompts(server, prompts, { onError });
    return server;
  };
}

function capabilitiesOf(
  { resources, prompts, onChange }: Catalogue,
  canTell: boolean,
): ServerCapabilities {
  const list = canTell && onChange !== undefined ? { listChanged: true } : {};
  return {
    tools: list,
    ...(resources === undefined ? {} : { resources: list }),
    ...(prompts === undefined ? {} : { prompts: list }),
  };
}

function cacheHintsOf({ onChange }: Catalogue): NonNullable<ServerOptions["cacheHints"]> {
  const ttlMs = onChange === undefined ? FIXED_LIST_TTL_MS : CHANGING_LIST_TTL_MS;
  const hint = { ttlMs, cacheScope: "private" } as const;
  return {
    "tools/list": hint,
    "resources/list": hint,
    "resources/templates/list": hint,
    "prompts/list": hint,
  };
}
