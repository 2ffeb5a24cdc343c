/**
 * Needs held against what Deno has granted the running process.
 *
 * @module
 */
import { missingFeatureFlag } from "../../sandbox/mod.ts";
import type { Needs } from "./needs.ts";

/** What differs. Each item is a flag. */
export interface Difference {
  /** Needed and not there. */
  readonly lacks: readonly string[];
  /** Granted without a limit and not needed so. */
  readonly excess: readonly string[];
  /** Ranges of addresses that should be denied and are not. */
  readonly undenied: readonly string[];
}

const NAMES = ["net", "read", "write", "run", "ffi", "sys", "env", "import"] as const;

/** Asks Deno; nothing prompts. Deno does not tell what else it has granted with a limit. */
export async function checkProcess(needs: Needs): Promise<Difference> {
  const { net, read, write, env, run, unstable, denyNet } = needs;
  const wanted: Deno.PermissionDescriptor[] = [
    ...net === "all"
      ? [{ name: "net" } as const]
      : net.map((host) => ({ name: "net", host } as const)),
    ...read.map((path) => ({ name: "read", path } as const)),
    ...write.map((path) => ({ name: "write", path } as const)),
    ...env.map((variable) => ({ name: "env", variable } as const)),
    ...run.map((command) => ({ name: "run", command } as const)),
  ];
  const lacks: string[] = [];
  for (const descriptor of wanted) {
    if (await stateOf(descriptor) !== "granted") lacks.push(flagOf(descriptor));
  }
  const mayLack = unstable.includes("worker-options") && !Deno.build.standalone;
  const feature = mayLack ? missingFeatureFlag() : undefined;
  const excess: string[] = [];
  for (const name of NAMES) {
    const isNeeded = name === "net" && net === "all";
    if (!isNeeded && await stateOf({ name }) === "granted") excess.push(flagOf({ name }));
  }
  const undenied: string[] = [];
  for (const range of denyNet) {
    const host = range.replace(/\/\d+$/, ""); // its first address
    if (await stateOf({ name: "net", host }) !== "denied") undenied.push(range);
  }
  return { lacks: feature === undefined ? lacks : [...lacks, feature], excess, undenied };
}

function flagOf({ name, ...of }: Deno.PermissionDescriptor): string {
  const [value] = Object.values(of);
  return `--allow-${name}${value === undefined ? "" : `=${value}`}`;
}

async function stateOf(descriptor: Deno.PermissionDescriptor): Promise<Deno.PermissionState> {
  return (await Deno.permissions.query(descriptor)).state;
}
