/**
 * `bowire mcp serve`.
 *
 * @module
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import { composeBowire } from "../../bowire.ts";
import { BowireError } from "../../errors/mod.ts";
import { readVariable } from "../../store/mod.ts";
import { LOOPBACK_NAMES } from "../../gate/mod.ts";
import type { HostOptions } from "../../host/mod.ts";
import { printNotices } from "../banner.ts";
import {
  hostNamesOf,
  type ListenAddress,
  type ListenSettings,
  readText,
  resolveAddresses,
} from "../listen.ts";
import { sandboxIn, sandboxOption } from "../options.ts";
import { declarePlan, type Plan } from "../permissions/plan.ts";
import { serveHttp } from "../serve_http.ts";
import type { ServeOptions } from "../serve_options.ts";
import { hostParts, type Session } from "../session.ts";
import { readStdin } from "../streams.ts";

const EXAMPLES = `
Examples:
  $ bowire mcp serve --allow-url https://api.example.com
  $ bowire mcp serve --bind http --token-file ./token

The address can also come from the environment: BOWIRE_URLS=https://localhost:5443
Environment: BOWIRE_MCP_TOKEN (the token), BOWIRE_DATA_DIR (the home folder), BOWIRE_LOG (debug, info, warning).`;

/** Adds the commands around MCP. */
export function addMcpCommands(program: Command, session: Session): void {
  const mcp = program.command("mcp").description(
    "Let agents use Bowire over the Model Context Protocol.",
  );
  const command = mcp.command("serve")
    .description("Serve Bowire's tools to an agent, over standard input and output or over HTTP.")
    .addOption(
      new Option("--bind <transport>", "how the agent connects").choices(["stdio", "http"]).default(
        "stdio",
      ),
    )
    .addOption(
      new Option("--port <n>", "port of the HTTP listener (default 5081)").argParser(parsePort),
    )
    .option("--host <name>", "host name or address to listen at (default localhost)")
    .option(
      "--token <secret>",
      "require this bearer token; other users of the machine can see it in the process list",
    )
    .option("--token-file <file>", "require the bearer token in this file")
    .option("--cert <file>", "serve TLS with this certificate (PEM)")
    .option("--key <file>", "private key of the certificate (PEM)")
    .option(
      "--allow-host <name...>",
      "also answer to this host name (behind a proxy, in a container)",
    )
    .option("--allow-insecure-bind", "listen beyond this machine without token or TLS")
    .addOption(
      new Option("--allow-url <url...>", "let agents reach this URL and everything below it")
        .default([], "none"),
    )
    .option("--allow-invoke", "also allow every URL that was ever typed (typed-urls.json)")
    .option("--allow-arbitrary-urls", "allow every URL: only for sandboxes")
    .option("--no-env-allowlist", "do not allow the server URLs of the stored environments")
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
    )
    .option("--stateless", "give HTTP clients of the older protocol revisions no session")
    .addHelpText("after", EXAMPLES)
    .action((options: ServeOptions) => serve(options, session));
  declarePlan(command, () => planServe(command.opts<ServeOptions>()));
}

function planServe(options: ServeOptions): Plan {
  const { tokenFile, cert, key } = options;
  const { addresses } = listenOptionsOf(options);
  const files = options.bind === "http" ? [tokenFile, cert, key] : [];
  return {
    host: hostOptionsOf(options),
    dials: true,
    isWriting: true, // what is permitted is remembered
    listens: addresses,
    files: files.filter((file) => file !== undefined),
  };
}

function hostOptionsOf(options: ServeOptions): HostOptions {
  return {
    allowedServerUrls: options.allowUrl,
    allowArbitraryUrls: options.allowArbitraryUrls ?? false,
    loadAllowlistFromEnvironments: options.envAllowlist,
    loadAllowlistFromTypedUrls: options.allowInvoke ?? false,
    requireConfirmationForMutations: options.confirm,
    allowedFileFolders: options.allowFiles,
    sandbox: sandboxIn({ sandbox: options.sandbox }),
  };
}

/** Where it listens: nowhere over stdio. */
function listenOptionsOf(
  options: ServeOptions,
): { settings: ListenSettings; addresses: ListenAddress[] } {
  const settings: ListenSettings = {
    port: options.port,
    host: options.host,
    urls: readVariable("BOWIRE_URLS"),
    cert: options.cert,
    key: options.key,
    hasToken: (options.tokenFile ?? givenToken(options)) !== undefined,
    mayBeInsecure: options.allowInsecureBind ?? false,
  };
  return { settings, addresses: options.bind === "http" ? resolveAddresses(settings) : [] };
}

async function serve(options: ServeOptions, session: Session): Promise<void> {
  const isHttp = options.bind === "http";
  const { settings, addresses } = listenOptionsOf(options);
  const token = isHttp ? await findToken(options) : undefined;
  await using bowire = await composeBowire({
    ...hostOptionsOf(options),
    toolNames: options.toolNames,
    sessions: options.stateless !== true,
    token,
    hostNames: [...LOOPBACK_NAMES, ...hostNamesOf(addresses), ...options.allowHost ?? []],
  }, hostParts(session, "flag"));
  printNotices(session.terminal, options, { settings, allowlist: bowire.host.allowlist });
  if (isHttp) return await serveHttp(bowire, session, { addresses, settings });
  const ended = bowire.serveStreams(readStdin(), session.terminal.stdout);
  await Promise.race([ended, interrupted(session.signal)]);
}

function interrupted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}

function givenToken({ token }: ServeOptions): string | undefined {
  return token ?? readVariable("BOWIRE_MCP_TOKEN");
}

async function findToken(options: ServeOptions): Promise<string | undefined> {
  const { tokenFile } = options;
  const found = tokenFile === undefined
    ? givenToken(options)
    : (await readText(tokenFile, "the token")).trim();
  if (found === undefined || /^\S+$/.test(found)) return found;
  throw new BowireError("usage", "cannot use the token: it is empty or holds white space", {
    hint: "name another with --token-file, or none",
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidArgumentError("it is a number from 0 (any free port) to 65535.");
  }
  return port;
}
