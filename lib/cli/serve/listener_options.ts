/**
 * What can be said about the way in, as options of the command line.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import type { AccessFormat } from "../../http/access.ts";

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
  readonly maxBody?: number;
  readonly rateLimit?: number;
  readonly accessLog?: AccessFormat;
  readonly drainSeconds?: number;
}

/** What a way in is like where nothing is said. */
export interface ListenerDefaults {
  readonly bind: ListenerOptions["bind"];
  readonly port: number;
  /** What stands before `cert` and `key`, where those speak of something else. @default nothing */
  readonly tls?: string;
}

/** Highest count that a flag takes. */
const MAX_COUNT = 1_000_000;
const MAX_BODY_SIZE = 1024 ** 3;

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
    new Option("--access-log [format]", "write a line a request to standard error")
      .choices(["common", "json"] satisfies AccessFormat[]).preset("common"),
    new Option("--rate-limit <n>", "answer each client so many requests a minute (default all)")
      .argParser(parseCount),
    new Option("--max-body <size>", "largest request, as in 500K or 64M (default 16M)")
      .argParser(parseSize),
    new Option("--drain-seconds <n>", "time for open requests after SIGTERM (default 10)")
      .argParser(parseCount),
  ].map((option) => option.helpGroup(LISTENER_GROUP));
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new InvalidArgumentError("it is a number from 0 (any free port) to 65535.");
  }
  return port;
}

function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count > 0 && count <= MAX_COUNT) return count;
  throw new InvalidArgumentError(`it is a whole number from 1 to ${MAX_COUNT}.`);
}

/** Bytes, or K, M or G of them, each 1024 times the one before. */
function parseSize(text: string): number {
  const [, count, unit = ""] = /^(\d+)([kmg]?)(?:i?b)?$/i.exec(text) ?? [];
  const size = Number(count) * 1024 ** " kmg".indexOf(unit.toLowerCase() || " ");
  if (size > 0 && size <= MAX_BODY_SIZE) return size;
  throw new InvalidArgumentError("it is a size from 1 byte to 1G, as in 500K or 64M.");
}
