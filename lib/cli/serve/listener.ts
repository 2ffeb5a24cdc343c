/**
 * What can be said about the way in of those who are served.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { LOOPBACK_NAMES } from "../../gate/mod.ts";
import type { HttpFaceOptions } from "../../http/mod.ts";
import { readVariable } from "../../store/mod.ts";
import {
  hostNamesOf,
  type ListenAddress,
  type ListenSettings,
  resolveAddresses,
} from "./listen.ts";
import { givenToken, readToken } from "./token.ts";

/** The options of a way in, as commander collects them. */
export interface ListenerOptions {
  readonly bind: "stdio" | "http";
  readonly port?: number;
  readonly host?: string;
  readonly token?: string;
  readonly tokenFile?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly allowHost?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly allowInsecureBind?: boolean;
  readonly stateless?: boolean;
}

/** What a way in is like where nothing is said. */
export interface ListenerDefaults {
  readonly bind: ListenerOptions["bind"];
  readonly port: number;
  /** What stands before `cert` and `key`, where those speak of something else. @default nothing */
  readonly tls?: string;
}

/** A way in. */
export interface Listener {
  readonly isHttp: boolean;
  readonly settings: ListenSettings;
  /** None over stdio. */
  readonly addresses: readonly ListenAddress[];
  /** Names by which it may be addressed. */
  readonly hostNames: readonly string[];
}

/** The variable that holds the token. */
const TOKEN_VARIABLE = "BOWIRE_MCP_TOKEN";

/** Where the options stand in the help. */
export const LISTENER_GROUP = "Listener options:";

/** The options. */
export function listenerOptions({ bind, port, tls = "" }: ListenerDefaults): Option[] {
  const plain: readonly (readonly [flags: string, description: string])[] = [
    ["--host <name>", "host name or address to listen at (default localhost)"],
    [
      "--token <secret>",
      "require this bearer token; other users of the machine can see it in the process list",
    ],
    ["--token-file <file>", "require the bearer token in this file"],
    [`--${tls}cert <file>`, "serve TLS with this certificate (PEM)"],
    [`--${tls}key <file>`, "private key of the certificate (PEM)"],
    ["--allow-host <name...>", "also answer to this host name (behind a proxy, in a container)"],
    ["--cors-origin <origin...>", "let pages of this origin use it from a browser (default none)"],
    ["--allow-insecure-bind", "listen beyond this machine without token or TLS"],
    ["--stateless", "give HTTP clients of the older protocol revisions no session"],
  ];
  return [
    new Option("--bind <transport>", "how the agent connects").choices(["stdio", "http"])
      .default(bind),
    new Option("--port <n>", `port of the HTTP listener (default ${port})`).argParser(parsePort),
    ...plain.map(([flags, description]) => new Option(flags, description)),
  ].map((option) => option.helpGroup(LISTENER_GROUP));
}

/**
 * The way in that was asked for.
 *
 * @throws {BowireError} `usage` when it contradicts itself, or would be open to others.
 */
export function listenerOf(options: ListenerOptions, defaultPort: number): Listener {
  const isHttp = options.bind === "http";
  const settings: ListenSettings = {
    port: options.port,
    defaultPort,
    host: options.host,
    urls: readVariable("BOWIRE_URLS"),
    cert: options.cert,
    key: options.key,
    hasToken:
      (options.tokenFile ?? givenToken({ ...options, variable: TOKEN_VARIABLE })) !== undefined,
    mayBeInsecure: options.allowInsecureBind ?? false,
  };
  const addresses = isHttp ? resolveAddresses(settings) : [];
  return {
    isHttp,
    settings,
    addresses,
    hostNames: [...LOOPBACK_NAMES, ...hostNamesOf(addresses), ...options.allowHost ?? []],
  };
}

/**
 * Who may come in by it.
 *
 * @throws {BowireError} `usage` for an origin that is none; as {@linkcode findToken} does.
 */
export async function faceOptionsOf(
  options: ListenerOptions,
  { hostNames }: Listener,
): Promise<HttpFaceOptions> {
  const { corsOrigin: corsOrigins = [] } = options;
  const stray = corsOrigins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (stray !== undefined) {
    throw new BowireError("usage", `cannot let pages of "${stray}" come: that is no origin`, {
      hint: "write scheme, host and port alone, as in http://localhost:6274",
    });
  }
  return { token: await findToken(options), hostNames, corsOrigins };
}

/** The files that a way in takes. */
export function listenerFiles({ bind, tokenFile, cert, key }: ListenerOptions): string[] {
  const files = bind === "http" ? [tokenFile, cert, key] : [];
  return files.filter((file) => file !== undefined);
}

/**
 * The token that is required, if one is.
 *
 * @throws {BowireError} as `readToken` does.
 */
async function findToken(options: ListenerOptions): Promise<string | undefined> {
  const { bind, token, tokenFile } = options;
  if (bind !== "http") return undefined;
  return await readToken({
    token,
    file: tokenFile,
    variable: TOKEN_VARIABLE,
    fileFlag: "--token-file",
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidArgumentError("it is a number from 0 (any free port) to 65535.");
  }
  return port;
}

/** Settles on Ctrl+C. */
export function interrupted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
