/**
 * `bowire --url …`: what is done when no other command is named.
 *
 * @module
 */
import { type Command, Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { redactUrl } from "../../gate/mod.ts";
import type { HostOptions } from "../../host/mod.ts";
import { closest } from "../../schema/spelling/closest.ts";
import { collectHeaders, headerOption, sandboxIn } from "../options.ts";
import { declarePlan, type Plan } from "../permissions/plan.ts";
import { connectionFiles } from "../reach/connection.ts";
import { makeReady, noTarget, type Reach, reachOf, reachOptions } from "../reach/reach.ts";
import { ADAPTER_GROUP, adapterOptions, headersByUrl } from "../serve/adapter_options.ts";
import { ADAPTER_PORT } from "../serve/listen.ts";
import { listenerFiles, listenerOf } from "../serve/listener.ts";
import {
  LISTENER_GROUP,
  type ListenerOptions,
  listenerOptions,
} from "../serve/listener_options.ts";
import { ExitCode, openHost, type Session } from "../session.ts";

const EXAMPLES = `
The word "open" may be left out.

Examples:
  $ bowire --url http://localhost:8080
  $ bowire --url http://localhost:8080 --enable-mcp-adapter
  $ bowire --url https://api.example.com --enable-mcp-adapter --bind stdio --include tag:public
  $ bowire --url localhost:2379 --plaintext --proto rpc.proto --enable-mcp-adapter

The adapter serves MCP at /mcp (port ${ADAPTER_PORT}) and tells of itself at /api/mcp-adapter; a POST to
/api/mcp-adapter/rediscover looks at the APIs again. Agents can call every method that is a tool.`;

/** The options as commander collects them; `serveCert` and `serveKey` are those of the listener. */
interface OpenOptions extends ListenerOptions {
  readonly url?: readonly string[];
  readonly enableMcpAdapter?: boolean;
  readonly serveCert?: string;
  readonly serveKey?: string;
  readonly [name: string]: unknown;
}

/** Adds the command. */
export function addOpenCommand(program: Command, session: Session): void {
  const command = program.command("open [word...]", { isDefault: true })
    .description("Show what URLs offer; with --enable-mcp-adapter, serve it to agents as tools.")
    .addOption(urlOption())
    .option("--enable-mcp-adapter", "serve every method as a tool, over MCP")
    .addOption(headerOption());
  const options = [
    ...adapterOptions(),
    ...listenerOptions({ bind: "http", port: ADAPTER_PORT, tls: "serve-" }),
    ...reachOptions(),
  ];
  for (const option of options) command.addOption(option);
  const read = (): OpenOptions => {
    const [word] = command.args;
    if (word !== undefined) refuseCommand(word, program);
    const options = command.opts<OpenOptions>();
    const given = command.options.filter((option) =>
      command.getOptionValueSource(option.attributeName()) === "cli"
    );
    if (given.length === 0) program.help({ error: true });
    check(options, given);
    return options;
  };
  command.addHelpText("after", EXAMPLES).action(() => open(read(), session));
  declarePlan(command, () => plan(read()));
}

function urlOption(): Option {
  return new Option("--url <url>", "URL of an API, or of its description (repeatable)")
    .argParser((url: string, known: string[] = []) => [...known, url]);
}

/** @throws {BowireError} `usage` for options that mean nothing as they were given. */
function check(options: OpenOptions, given: readonly Option[]): void {
  if (!namesTarget(options)) throw noTarget();
  const idle = options.enableMcpAdapter === true ? undefined : given.find(isForAdapter);
  if (idle !== undefined) {
    throw new BowireError("usage", `cannot use ${idle.long}: nothing is served to agents`, {
      hint: "add --enable-mcp-adapter",
    });
  }
  const stray = [...headersByUrl(options).keys()]
    .find((url) => options.url?.includes(url) !== true);
  if (stray !== undefined) {
    throw new BowireError(
      "usage",
      `cannot send --header-for "${redactUrl(stray)}": it is no --url`,
      {
        hint: `they are: ${(options.url ?? []).map(redactUrl).join(", ")}`,
      },
    );
  }
}

/** Whether an option is of no use where nothing is served. */
function isForAdapter({ helpGroupHeading: group, long }: Option): boolean {
  return (group === ADAPTER_GROUP || group === LISTENER_GROUP) && long !== "--header-for";
}

function namesTarget({ url, mcpServer, mcpCommand }: OpenOptions): boolean {
  return [url, mcpServer, mcpCommand].some((name) => name !== undefined);
}

/** How the listener is asked for: the names of its certificate's files are taken by the targets'. */
function listenerOptionsIn({ serveCert, serveKey, cert: _, key: _key, ...others }: OpenOptions) {
  return {
    ...others,
    ...(serveCert === undefined ? {} : { cert: serveCert }),
    ...(serveKey === undefined ? {} : { key: serveKey }),
  };
}

/** What is no command came here, since no command needs to be named. */
function refuseCommand(word: string, program: Command): never {
  const [near] = closest(word, program.commands.map((command) => command.name()));
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  program.error(`error: unknown command '${word}'${hint}`);
}

/** All URLs with what there is to say about reaching them; the first is that of a server by name. */
async function reachesOf(options: OpenOptions): Promise<Reach[]> {
  return await Promise.all((options.url ?? [""]).map((url) => reachOf(options, url)));
}

function hostOptionsOf(options: OpenOptions, reaches: readonly Reach[]): HostOptions {
  return {
    allowedServerUrls: reaches.flatMap(({ allowedUrls }) => allowedUrls),
    programs: Object.assign({}, ...reaches.map(({ programs }) => programs)),
    allowedFileFolders: reaches.flatMap(({ schemas }) => schemas.folders),
    sandbox: sandboxIn(options),
  };
}

async function plan(options: OpenOptions): Promise<Plan> {
  const reaches = await reachesOf(options);
  const isServing = options.enableMcpAdapter === true;
  const listener = listenerOptionsIn(options);
  return {
    host: hostOptionsOf(options, reaches),
    dials: true,
    files: [
      ...reaches.flatMap(({ connection }) => connectionFiles(connection)),
      ...isServing ? listenerFiles(listener) : [],
    ],
    listens: isServing ? listenerOf(listener, ADAPTER_PORT).addresses : [],
  };
}

async function open(options: OpenOptions, session: Session): Promise<void> {
  session.exitCode = ExitCode.failed; // until it has worked
  const reaches = await reachesOf(options);
  await using host = await openHost(session, hostOptionsOf(options, reaches));
  const metadata: Record<string, Record<string, string>> = {};
  const own = headersByUrl(options);
  for (const [index, reach] of reaches.entries()) {
    const headers = { ...collectHeaders({ options }), ...own.get(options.url?.[index] ?? "") };
    metadata[reach.url] =
      (await makeReady(host, { metadata: headers }, { reach, session })).metadata;
  }
  // Loaded when it is needed: all commands would start later for it.
  const { serveTargets, showTarget } = await import("./open_targets.ts");
  if (options.enableMcpAdapter === true) {
    const listen = listenerOptionsIn(options);
    return await serveTargets(host, { options, listen, metadata, session });
  }
  for (const { url } of reaches) await showTarget(host, { url, metadata: metadata[url], session });
}
