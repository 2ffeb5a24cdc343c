/**
 * What Deno must permit for a command to do what it plans.
 *
 * @module
 */
import { join, resolve, sep } from "node:path";
import {
  type Allowlist,
  type IpKind,
  netList,
  parseAddress,
  parseIp,
  redactUrl,
} from "../../gate/mod.ts";
import { Host, type HostParts } from "../../host/mod.ts";
import { PROGRAM_SCHEME } from "../../protocol/mod.ts";
import { programVariables } from "../../store/mod.ts";
import { readsOf } from "../../sandbox/mod.ts";
import type { ListenAddress } from "../serve/listen.ts";
import type { Plan } from "./plan.ts";

/** Permissions of a process, in Deno's words. Paths are absolute. */
export interface Needs {
  /** `host:port` pairs to dial or to listen at; `all` without a limit. */
  readonly net: readonly string[] | "all";
  /** Addresses and ranges that no name may lead to. */
  readonly denyNet: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly env: readonly string[];
  /** Programs that are started. */
  readonly run: readonly string[];
  /** Unstable features, without the `--unstable-` in front. */
  readonly unstable: readonly string[];
  /** What a person should know, a sentence each. */
  readonly notes: readonly string[];
}

/** The variables that Bowire reads. */
const VARIABLES = ["BOWIRE_*", "HOME", "USERPROFILE"];

/** Where clouds keep the credentials of a machine, among others. */
const LINK_LOCAL = "169.254.0.0/16";

/**
 * Addresses that no API has, but that a name may be made to lead to: Deno holds what a name
 * resolves to against them. Ranges of IPv6 cannot be written.
 */
const NEVER_DIALLED: readonly (readonly [string, IpKind])[] = [
  [LINK_LOCAL, "link-local"],
  ["224.0.0.0/4", "multicast"],
  ["0.0.0.0/8", "unspecified"],
  ["255.255.255.255", "broadcast"],
  ["[::]", "unspecified"],
];

/**
 * Works out what a plan needs.
 *
 * @param parts is asked when the plan has a host.
 * @throws {BowireError} `invalid_url` for a bad URL in the plan's host options, `usage` when there
 * is no home folder.
 */
export async function needsOf(plan: Plan, parts: () => HostParts): Promise<Needs> {
  const needs = { env: VARIABLES, run: [], unstable: ["no-legacy-abort"], notes: [] };
  if (plan.host === undefined) return { ...needs, ...await needsWithoutHost(plan) };
  const { home, worker, ...others } = parts();
  // Only its allowlist is looked at, so nothing more is started.
  await using host = await Host.open({ ...plan.host, sandbox: "none" }, { home, ...others });
  const dialled = plan.dials === true ? dial(host.allowlist) : { pairs: [], notes: [] };
  const named = [...new Set([...dialled.pairs, ...(plan.listens ?? []).map(pairOf)])];
  const isUnlimited = plan.dials === true && host.allowlist.allowsArbitraryUrls;
  const isOpen = isUnlimited || named.length > 0;
  const denyNet = isOpen ? deniedBeside(named) : [];
  const programs = Object.values(plan.host.programs ?? {});
  const runsPlugins = plan.dials === true || plan.runsPlugins === true;
  const runsWorker = runsPlugins && plan.host.sandbox !== "none" && worker !== undefined;
  return {
    ...needs,
    net: isUnlimited ? "all" : named,
    denyNet,
    read: await realPathsOf([
      home,
      join(home, "workspaces", "files"),
      ...plan.host.allowedFileFolders ?? [],
      ...plan.files ?? [],
      ...runsWorker ? readsOf(worker) : [],
    ]),
    run: [...new Set(programs.map(({ command }) => command))],
    env: programs.length === 0 ? VARIABLES : [...new Set([...VARIABLES, ...programVariables()])],
    write: plan.isWriting === true ? [resolve(home)] : [],
    unstable: [...runsWorker ? ["worker-options"] : [], ...needs.unstable],
    notes: [
      ...dialled.notes,
      ...isUnlimited
        ? ["Every host may be reached but those denied (--allow-arbitrary-urls)."]
        : [],
      ...isOpen && !denyNet.includes(LINK_LOCAL)
        ? [
          `Any name may lead into ${LINK_LOCAL}: an entry lies there, and Deno's no outranks its yes.`,
        ]
        : [],
    ],
  };
}

/** What a plan needs that opens no host: at most, it relays to a parent. */
async function needsWithoutHost(
  { parent, listens = [], files = [] }: Plan,
): Promise<Pick<Needs, "net" | "denyNet" | "read" | "write">> {
  const dialled = parent === undefined
    ? []
    : netList({ entries: [{ url: parent, source: "flag" }] });
  const net = [...new Set([...dialled, ...listens.map(pairOf)])];
  const denyNet = net.length === 0 ? [] : deniedBeside(net);
  return { net, denyNet, read: await realPathsOf(files), write: [] };
}

/** The pairs of an allowlist that Deno understands, and notes about what is left out. */
function dial(allowlist: Allowlist): { pairs: string[]; notes: string[] } {
  const pairs: string[] = [];
  const notes = allowlist.ignored.map(({ value, reason }) => `Passed over "${value}": ${reason}`);
  for (const entry of allowlist.entries) {
    const [pair] = netList({ entries: [entry] });
    if (parseAddress(entry.url).scheme === PROGRAM_SCHEME) continue; // started, not dialled
    if (pair !== undefined) pairs.push(pair);
    else notes.push(`Left out "${redactUrl(entry.url)}": Deno wants a name or address and a port.`);
  }
  return { pairs, notes };
}

function pairOf({ hostname, port }: ListenAddress): string {
  return `${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`;
}

/** The addresses to deny, without those that are named themselves: Deno's no outranks its yes. */
function deniedBeside(pairs: readonly string[]): string[] {
  const named = pairs.flatMap((pair) => parseIp(pair.replace(/:\d+$/, "")) ?? []);
  return NEVER_DIALLED
    .filter(([range, kind]) =>
      !named.some((ip) => ip.kind === kind && ip.text.includes(":") === range.includes(":"))
    )
    .map(([range]) => range);
}

/** Absolute paths and, behind links, where they really lead: Bowire asks for both. */
async function realPathsOf(paths: readonly string[]): Promise<string[]> {
  const all = new Set<string>();
  for (const path of paths.map((path) => resolve(path))) {
    all.add(path);
    all.add(await Deno.realPath(path).catch(() => path)); // not there yet, or not to be read
  }
  const isWithinAnother = (path: string) => [...all].some((other) => path.startsWith(other + sep));
  return [...all].filter((path) => !isWithinAnother(path));
}
