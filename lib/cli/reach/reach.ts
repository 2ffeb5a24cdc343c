/**
 * What all verbs that reach out can be told: where they may go, how, and by which schemas.
 *
 * @module
 */
import type { Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { originOf, parseAddress } from "../../gate/mod.ts";
import type { Host } from "../../host/mod.ts";
import { readSchemaFiles } from "../../server/mod.ts";
import {
  completeUrl,
  type Connection,
  connectionMetadata,
  connectionOf,
  connectionOptions,
} from "./connection.ts";
import { allowUrlOption, sandboxOption } from "../options.ts";
import type { Programs } from "../../protocol/mod.ts";
import { schemaOptions, schemasIn, type TypedSchemas } from "./schemas.ts";
import { serverIn, serverOptions } from "./server.ts";
import type { Session } from "../session.ts";
import { safe } from "../terminal.ts";

/** What a verb was told. */
export interface Reach {
  /** The URL that is called, its scheme written out. */
  readonly url: string;
  /** URLs that may be called, the others typed ones among them. */
  readonly allowedUrls: readonly string[];
  readonly connection: Connection;
  readonly schemas: TypedSchemas;
  /** The program that is called, if it is one. */
  readonly programs: Programs;
  /** Headers that go with every call, below those that were typed. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The options. */
export function reachOptions(): Option[] {
  return [
    ...serverOptions(),
    allowUrlOption(),
    sandboxOption(),
    ...connectionOptions(),
    ...schemaOptions(),
  ];
}

/**
 * Reads the options.
 *
 * @param typedUrl empty when a server is named instead.
 * @throws {BowireError} `usage`, `file_failed`, or `invalid_url` for one of the other URLs; what is
 * wrong with the URL itself is left for the tool to say.
 */
export async function reachOf(
  options: Readonly<Record<string, unknown>>,
  typedUrl: string,
): Promise<Reach> {
  const connection = connectionOf(options);
  const server = await serverIn(options);
  if (server === undefined && typedUrl === "") {
    throw noTarget();
  }
  const url = server?.url ?? completeUrl(typedUrl, connection);
  const others: unknown[] = Array.isArray(options.allowUrl) ? options.allowUrl : [];
  return {
    url,
    allowedUrls: [...typedServer(url), ...others.map((other) => serverOf(String(other)))],
    connection,
    schemas: schemasIn(options),
    programs: server?.programs ?? {},
    headers: server?.headers ?? {},
  };
}

/** What to say when nobody said what to reach. */
export function noTarget(): BowireError {
  return new BowireError("usage", "cannot tell what to reach: there is no URL", {
    hint: "give --url; for an MCP server --mcp-command or --mcp-server will do",
  });
}

/** The server of a URL that was typed; none when it is no URL. */
export function typedServer(url: string): string[] {
  try {
    return [serverOf(url)];
  } catch (error) {
    if (error instanceof BowireError) return [];
    throw error;
  }
}

/**
 * Makes a host ready for a call.
 *
 * @param args the tool's.
 * @returns the metadata of the call, all of it.
 * @throws {BowireError} when a file cannot be read or understood.
 */
export async function makeReady(
  host: Host,
  args: Readonly<Record<string, unknown>>,
  { reach: { url, connection, schemas, headers }, session }: { reach: Reach; session: Session },
): Promise<{ readonly metadata: Record<string, string> }> {
  const given = await connectionMetadata(connection);
  if (schemas.files.length > 0) {
    const protocol = typeof args.protocol === "string" ? args.protocol : undefined;
    const { files, importPaths } = schemas;
    const read = await readSchemaFiles(host, { url, files, importPaths, protocol }, session.signal);
    await host.schemas.addForRun(read.schema);
    for (const remark of read.remarks) session.terminal.warn(safe(remark));
  }
  return { metadata: { ...headers, ...metadataIn(args), ...given } };
}

function metadataIn({ metadata }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
}

/**
 * A person who types a URL means the server: its other paths are admitted too.
 *
 * @throws {BowireError} `invalid_url`.
 */
function serverOf(url: string): string {
  const address = parseAddress(url);
  return address.port === 0 ? address.url : originOf(address);
}
