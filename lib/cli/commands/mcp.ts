/**
 * `bowire mcp serve`.
 *
 * @module
 */
import { type Command, Option } from "commander";
import { composeBowire } from "../../bowire.ts";
import type { Allowlist } from "../../gate/mod.ts";
import type { HostOptions } from "../../host/mod.ts";
import type { ToolNameStyle } from "../../mcp/mod.ts";
import type { SandboxMode } from "../../sandbox/mod.ts";
import { sandboxIn, sandboxOption } from "../options.ts";
import { declarePlan, type Plan } from "../permissions/plan.ts";
import { programsNamed } from "../reach/server.ts";
import { SERVER_PORT } from "../serve/listen.ts";
import { faceOptionsOf, interrupted, listenerFiles, listenerOf } from "../serve/listener.ts";
import { listenerOptions } from "../serve/listener_options.ts";
import {
  attachFiles,
  type AttachOptions,
  attachOptions,
  parentOf,
  serveAttached,
} from "../serve/serve_attached.ts";
import { listenerFace, serverParts } from "../serve/listener_face.ts";
import { noticesOnListener, noticesOnReach, printNotices } from "../serve/notices.ts";
import { serveHttp } from "../serve/serve_http.ts";
import { hostParts, type Session } from "../session.ts";
import { readStdin } from "../streams.ts";

/** The options as commander collects them. */
interface ServeOptions extends AttachOptions {
  readonly allowUrl: readonly string[];
  readonly allowInvoke?: boolean;
  readonly allowArbitraryUrls?: boolean;
  readonly allowFiles: readonly string[];
  readonly mcpServer: readonly string[];
  /** False for `--no-confirm`. */
  readonly confirm: boolean;
  /** False for `--no-env-allowlist`. */
  readonly envAllowlist: boolean;
  readonly sandbox: SandboxMode;
  readonly toolNames: ToolNameStyle;
}

const EXAMPLES = `
Examples:
  $ bowire mcp serve --allow-url https://api.example.com
  $ bowire mcp serve --bind http --token-file ./token
  $ bowire mcp serve --attach localhost:5081

The address can also come from the environment: BOWIRE_URLS=https://localhost:5443
Environment: BOWIRE_MCP_TOKEN (the token), BOWIRE_ATTACH_TOKEN (that of the parent),
BOWIRE_DATA_DIR (the home folder), BOWIRE_LOG (debug, info, warning).`;

/** Options that say what is served, and how. */
const ABOUT_SERVING: ReadonlySet<string> = new Set([
  "allowUrl",
  "allowInvoke",
  "allowArbitraryUrls",
  "envAllowlist",
  "mcpServer",
  "allowFiles",
  "sandbox",
  "confirm",
  "toolNames",
  "stateless",
]);

/** Adds the commands around MCP. */
export function addMcpCommands(program: Command, session: Session): void {
  const mcp = program.command("mcp").description(
    "Let agents use Bowire over the Model Context Protocol.",
  );
  const command = mcp.command("serve")
    .description("Serve Bowire's tools to an agent, over standard input and output or over HTTP.")
    .addOption(
      new Option("--allow-url <url...>", "let agents reach this URL and everything below it")
        .default([], "none"),
    )
    .option("--allow-invoke", "also allow every URL that was ever typed (typed-urls.json)")
    .option("--allow-arbitrary-urls", "allow every URL: only for sandboxes")
    .option("--no-env-allowlist", "do not allow the server URLs of the stored environments")
    .addOption(
      new Option(
        "--mcp-server <name...>",
        "let agents use the MCP server of this name in mcp-servers.json, at stdio://NAME",
      ).default([], "none"),
    )
    .addOption(
      new Option(
        "--allow-files <dir...>",
        "let calls send, and schemas be read from, the files of this folder",
      )
        .default([], "workspaces/files in the home folder"),
    )
    .addOption(sandboxOption())
    .option("--no-confirm", "let tools that change something run without asking")
    .addOption(
      new Option("--tool-names <style>", "how tool names are written")
        .choices(["auto", "dotted", "underscore"]).default("auto"),
    );
  const more = [...listenerOptions({ bind: "stdio", port: SERVER_PORT }), ...attachOptions()];
  for (const option of more) command.addOption(option);
  command.addHelpText("after", EXAMPLES).action(async (options: ServeOptions) => {
    const parent = parentOf(options, session);
    if (parent === undefined) return await serve(options, session);
    await serveAttached(parent, { options, unused: unusedWithParent(command), session });
  });
  declarePlan(command, () => planServe(command.opts<ServeOptions>(), session));
}

/** The flags that were given and that speak of what a parent decides. */
function unusedWithParent(command: Command): string[] {
  return command.options
    .filter((option) => ABOUT_SERVING.has(option.attributeName()))
    .filter((option) => command.getOptionValueSource(option.attributeName()) === "cli")
    .map(({ long }) => long ?? "");
}

async function planServe(options: ServeOptions, session: Session): Promise<Plan> {
  const parent = parentOf(options, session);
  if (parent !== undefined) {
    return {
      parent: parent.href,
      listens: listenerOf(options, SERVER_PORT).addresses,
      files: [...listenerFiles(options), ...attachFiles(options)],
    };
  }
  return {
    host: await hostOptionsOf(options),
    dials: true,
    isWriting: true, // what is permitted is remembered
    listens: listenerOf(options, SERVER_PORT).addresses,
    files: listenerFiles(options),
  };
}

async function hostOptionsOf(options: ServeOptions): Promise<HostOptions> {
  return {
    allowedServerUrls: options.allowUrl,
    allowArbitraryUrls: options.allowArbitraryUrls ?? false,
    loadAllowlistFromEnvironments: options.envAllowlist,
    loadAllowlistFromTypedUrls: options.allowInvoke ?? false,
    requireConfirmationForMutations: options.confirm,
    allowedFileFolders: options.allowFiles,
    programs: await programsNamed(options.mcpServer),
    sandbox: sandboxIn({ sandbox: options.sandbox }),
  };
}

async function serve(options: ServeOptions, session: Session): Promise<void> {
  const listener = listenerOf(options, SERVER_PORT);
  await using bowire = await composeBowire({
    ...await hostOptionsOf(options),
    toolNames: options.toolNames,
    sessions: options.stateless !== true,
  }, hostParts(session, "flag"));
  const { allowlist } = bowire.host;
  printNotices(session.terminal, [
    ...noticesOnRights(options, allowlist),
    ...noticesOnReach(allowlist),
    ...noticesOnListener(options, listener),
  ]);
  if (listener.isHttp) {
    const door = await faceOptionsOf(options, listener, session.terminal);
    const face = await listenerFace(serverParts(bowire.endpoint), door);
    return await serveHttp({ fetch: face, close: () => bowire.close() }, session, listener);
  }
  const ended = bowire.serveStreams(readStdin(), session.terminal.stdout);
  await Promise.race([ended, interrupted(session.signal)]);
}

function noticesOnRights(
  options: ServeOptions,
  { size }: Pick<Allowlist, "size">,
): (string | false)[] {
  return [
    options.allowArbitraryUrls === true &&
    "WARNING: every URL is allowed (--allow-arbitrary-urls). Only for sandboxes.",
    options.allowArbitraryUrls !== true &&
    (size === 0
      ? "The allowlist is empty: agents reach nothing until a URL is permitted (--allow-url)."
      : `${size} URL${size === 1 ? "" : "s"} on the allowlist.`),
    options.allowInvoke === true && "URLs that were ever typed are allowed (--allow-invoke).",
    !options.confirm && "WARNING: changes run without asking (--no-confirm).",
  ];
}
