/**
 * What a person should know about a server that was just started.
 *
 * @module
 */
import { type Allowlist, netList } from "../../gate/mod.ts";
import type { Terminal } from "../terminal.ts";
import { isOutranked } from "./listen.ts";
import type { Listener } from "./listener.ts";
import type { ListenerOptions } from "./listener_options.ts";

/** How many hosts one notice names. */
const MAX_NAMED = 5;

/** Prints notices on standard error, one a line; those that are false are none. */
export function printNotices(terminal: Terminal, notices: readonly (string | false)[]): void {
  for (const notice of notices) {
    if (notice !== false) terminal.warn(`[bowire-mcp] ${notice}`);
  }
}

/** Notices on what may be reached. */
export function noticesOnReach(allowlist: Allowlist): (string | false)[] {
  const denied = netList(allowlist).filter((host) =>
    Deno.permissions.querySync({ name: "net", host }).state !== "granted"
  );
  return [
    denied.length > 0 &&
    `Deno lets nobody reach ${denied.length} of their hosts: start it with --allow-net=${
      denied.slice(0, MAX_NAMED).join(",")
    }${denied.length > MAX_NAMED ? ",…" : ""}`,
    ...allowlist.ignored.map(({ value, reason }) => `Passed over "${value}": ${reason}`),
  ];
}

/** Notices on the way in. */
export function noticesOnListener(
  options: ListenerOptions,
  { settings }: Listener,
): (string | false)[] {
  if (options.bind === "stdio") {
    return [
      Deno.stdin.isTerminal() &&
      "An agent starts this program and talks to it over standard input; Ctrl+C ends it.",
      ...unusedOver(options),
    ];
  }
  return [
    isOutranked(settings) && "--port and --host outrank BOWIRE_URLS, which is not used.",
    settings.mayBeInsecure &&
    "WARNING: other machines may reach this server (--allow-insecure-bind).",
    !settings.hasToken &&
    "No token is required: every program on this machine can use it (--token-file).",
  ];
}

/** Flags of the HTTP listener mean nothing over stdio: say so rather than ignore them silently. */
function unusedOver(options: ListenerOptions): string[] {
  const given = [
    options.port !== undefined && "--port",
    options.host !== undefined && "--host",
    options.token !== undefined && "--token",
    options.tokenFile !== undefined && "--token-file",
    options.cert !== undefined && "--cert",
    options.corsOrigin !== undefined && "--cors-origin",
    options.stateless === true && "--stateless",
    options.accessLog !== undefined && "--access-log",
    options.rateLimit !== undefined && "--rate-limit",
    options.maxBody !== undefined && "--max-body",
    options.drainSeconds !== undefined && "--drain-seconds",
  ].filter((flag) => flag !== false);
  return given.length === 0 ? [] : [`Not used over stdio: ${given.join(", ")} (--bind http).`];
}
