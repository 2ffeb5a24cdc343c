/**
 * What can be said about the way in of those who are served.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import { LOOPBACK_NAMES } from "../../gate/mod.ts";
import type { AccessEntry, AccessFormat, HttpFaceOptions } from "../../http/mod.ts";
import { readVariable } from "../../store/mod.ts";
import {
  hostNamesOf,
  type ListenAddress,
  type ListenSettings,
  resolveAddresses,
} from "./listen.ts";
import type { ListenerOptions } from "./listener_options.ts";
import type { Terminal } from "../terminal.ts";
import { givenToken, readToken } from "./token.ts";

/** A way in. */
export interface Listener {
  readonly isHttp: boolean;
  readonly settings: ListenSettings;
  /** None over stdio. */
  readonly addresses: readonly ListenAddress[];
  /** Names by which it may be addressed. */
  readonly hostNames: readonly string[];
  /** How long requests in flight may take when the process is told to end, in milliseconds. */
  readonly drainMs: number;
}

/** The variable that holds the token. */
const TOKEN_VARIABLE = "BOWIRE_MCP_TOKEN";

const DRAIN_SECONDS = 10;

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
    drainMs: (options.drainSeconds ?? DRAIN_SECONDS) * 1000,
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
  terminal: Terminal,
): Promise<HttpFaceOptions> {
  const { corsOrigin: corsOrigins = [], accessLog: format, maxBody: maxBodyBytes, rateLimit } =
    options;
  const stray = corsOrigins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (stray !== undefined) {
    throw new BowireError("usage", `cannot let pages of "${stray}" come: that is no origin`, {
      hint: "write scheme, host and port alone, as in http://localhost:6274",
    });
  }
  return {
    token: await findToken(options),
    hostNames,
    corsOrigins,
    maxBodyBytes,
    rateLimit,
    onAccess: format && await accessLog(terminal, format),
  };
}

async function accessLog(
  terminal: Terminal,
  format: AccessFormat,
): Promise<(entry: AccessEntry) => void> {
  const { formatAccess } = await import("../../http/access.ts"); // most commands need none
  return (entry) => terminal.warn(formatAccess(entry, format));
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

/** Settles on Ctrl+C. */
export function interrupted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) resolve();
  signal.addEventListener("abort", () => resolve(), { once: true });
  return promise;
}
