/**
 * What a person should know about a server that was just started.
 *
 * @module
 */
import { type Allowlist, netList } from "../gate/mod.ts";
import { isOutranked, type ListenSettings } from "./listen.ts";
import type { ServeOptions } from "./serve_options.ts";
import type { Terminal } from "./terminal.ts";

/** How many hosts one notice names. */
const MAX_NAMED = 5;

/** Prints notices on standard error, one a line. */
export function printNotices(
  terminal: Terminal,
  options: ServeOptions,
  { settings, allowlist }: { settings: ListenSettings; allowlist: Allowlist },
): void {
  for (const notice of noticesOf(options, settings, allowlist)) {
    terminal.warn(`[bowire-mcp] ${notice}`);
  }
}

function noticesOf(
  options: ServeOptions,
  settings: ListenSettings,
  allowlist: Allowlist,
): string[] {
  const { length } = allowlist.entries;
  const denied = netList(allowlist).filter((host) =>
    Deno.permissions.querySync({ name: "net", host }).state !== "granted"
  );
  const notices: (string | false)[] = [
    options.allowArbitraryUrls === true &&
    "WARNING: every URL is allowed (--allow-arbitrary-urls). Only for sandboxes.",
    options.allowArbitraryUrls !== true &&
    (length === 0
      ? "The allowlist is empty: agents reach nothing until a URL is permitted (--allow-url)."
      : `${length} URL${length === 1 ? "" : "s"} on the allowlist.`),
    denied.length > 0 &&
    `Deno lets nobody reach ${denied.length} of their hosts: start it with --allow-net=${
      denied.slice(0, MAX_NAMED).join(",")
    }${denied.length > MAX_NAMED ? ",…" : ""}`,
    options.allowInvoke === true && "URLs that were ever typed are allowed (--allow-invoke).",
    !options.confirm && "WARNING: changes run without asking (--no-confirm).",
    ...allowlist.ignored.map(({ value, reason }) => `Passed over "${value}": ${reason}`),
    options.bind === "stdio" && Deno.stdin.isTerminal() &&
    "An agent starts this program and talks to it over standard input; Ctrl+C ends it.",
    ...options.bind === "stdio" ? unusedOver(options) : [
      isOutranked(settings) && "--port and --host outrank BOWIRE_URLS, which is not used.",
      settings.mayBeInsecure &&
      "WARNING: other machines may reach this server (--allow-insecure-bind).",
      !settings.hasToken &&
      "No token is required: every program on this machine can use it (--token-file).",
    ],
  ];
  return notices.filter((notice) => notice !== false);
}

/** Flags of the HTTP listener mean nothing over stdio: say so rather than ignore them silently. */
function unusedOver(options: ServeOptions): string[] {
  const given = [
    options.port !== undefined && "--port",
    options.host !== undefined && "--host",
    options.token !== undefined && "--token",
    options.tokenFile !== undefined && "--token-file",
    options.cert !== undefined && "--cert",
    options.stateless === true && "--stateless",
  ].filter((flag) => flag !== false);
  return given.length === 0 ? [] : [`Not used over stdio: ${given.join(", ")} (--bind http).`];
}
