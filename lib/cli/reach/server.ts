/**
 * Servers that are named instead of a URL: programs of this machine, and those of a file at home.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { redactUrl } from "../../gate/mod.ts";
import { PROGRAM_SCHEME, type ProgramCommand, type Programs } from "../../protocol/mod.ts";
import { programEnvironment, resolveHome, ServerStore } from "../../store/mod.ts";
import { wordsOf } from "./command_line.ts";

/** The name of a program that was typed. */
const TYPED_NAME = "command";

const GROUP = "In place of --url:";

/** A server by its URL, which may be that of a program to start. */
export interface ReachedServer {
  readonly url: string;
  readonly programs: Programs;
  /** Headers that the file has for it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The options that name a server. */
export function serverOptions(): Option[] {
  return [
    new Option("--mcp-server <name>", "the MCP server of this name in mcp-servers.json")
      .conflicts(["url", "mcpCommand"]),
    new Option(
      "--mcp-command <command>",
      "the MCP server that this command starts, spoken to over standard input and output",
    ).conflicts("url"),
    new Option("--mcp-env <name=value>", "give that program this variable (repeatable)")
      .argParser(collectVariable),
  ].map((option) => option.helpGroup(GROUP));
}

/**
 * The server that the options name; `undefined` when they name none.
 *
 * @throws {BowireError} `usage`, `not_found`, or what keeps the file from being read.
 */
export async function serverIn(
  options: Readonly<Record<string, unknown>>,
): Promise<ReachedServer | undefined> {
  const { mcpServer, mcpCommand, mcpEnv } = options;
  const extra = isTexts(mcpEnv) ? mcpEnv : {};
  if (typeof mcpServer === "string") return await serverNamed(mcpServer, extra);
  if (typeof mcpCommand !== "string") return undefined;
  const [command = "", ...args] = wordsOf(mcpCommand);
  return programAt(TYPED_NAME, { command, args, env: programEnvironment(extra) });
}

/**
 * The server of a name in `mcp-servers.json`.
 *
 * @param extra variables above those of the file.
 * @throws {BowireError} as {@linkcode serverIn} does.
 */
export async function serverNamed(
  name: string,
  extra: Readonly<Record<string, string>> = {},
): Promise<ReachedServer> {
  const server = await new ServerStore(resolveHome()).find(name);
  if ("url" in server) return { url: server.url, programs: {}, headers: server.headers };
  const { command, args, env, cwd } = server;
  return programAt(name, { command, args, cwd, env: programEnvironment({ ...env, ...extra }) });
}

/**
 * The programs of names in `mcp-servers.json`.
 *
 * @throws {BowireError} as {@linkcode serverIn} does; `usage` for a server that is no program.
 */
export async function programsNamed(names: readonly string[]): Promise<Programs> {
  const servers = await Promise.all(names.map(async (name) => {
    const { url, programs } = await serverNamed(name);
    if (Object.keys(programs).length > 0) return programs;
    throw new BowireError("usage", `cannot start the server "${name}": it is at a URL`, {
      hint: `allow the URL: --allow-url ${redactUrl(url)}`,
    });
  }));
  return Object.assign({}, ...servers);
}

function programAt(name: string, program: ProgramCommand): ReachedServer {
  const host = name.toLowerCase();
  if (!/^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(host)) {
    throw new BowireError("usage", `cannot use the server "${name}": it is no name for a URL`, {
      hint: "a name has letters, digits, dots, hyphens and underscores",
    });
  }
  return { url: `${PROGRAM_SCHEME}://${host}`, programs: { [host]: program }, headers: {} };
}

function collectVariable(text: string, known: Record<string, string> = {}): Record<string, string> {
  const sign = text.indexOf("=");
  if (sign < 1) throw new InvalidArgumentError("write it as NAME=value.");
  return { ...known, [text.slice(0, sign)]: text.slice(sign + 1) };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return typeof value === "object" && value !== null;
}
