/**
 * Needs held against what Deno has granted the running process.
 *
 * @module
 */
import { hasWorkerOptions } from "../../sandbox/mod.ts";
import type { Needs } from "./needs.ts";

/** What differs. Each item is the flag that grants it. */
export interface Difference {
  /** Needed and not granted. */
  readonly lacks: readonly string[];
  /** Granted without a limit and not needed so. */
  readonly excess: readonly string[];
}

const NAMES = ["net", "read", "write", "run", "ffi", "sys", "env", "import"] as const;

/** Asks Deno; nothing prompts. */
export async function checkProcess(needs: Needs): Promise<Difference> {
  const { net, read, write, env, unstable } = needs;
  const wanted: { flag: string; descriptor: Deno.PermissionDescriptor }[] = [
    ...net === "all"
      ? [{ flag: "--allow-net", descriptor: { name: "net" } as const }]
      : net.map((host) => ({
        flag: `--allow-net=${host}`,
        descriptor: { name: "net", host } as const,
      })),
    ...read.map((path) => ({
      flag: `--allow-read=${path}`,
      descriptor: { name: "read", path } as const,
    })),
    ...write.map((path) => ({
      flag: `--allow-write=${path}`,
      descriptor: { name: "write", path } as const,
    })),
    ...env.map((variable) => ({
      flag: `--allow-env=${variable}`,
      descriptor: { name: "env", variable } as const,
    })),
  ];
  const lacks: string[] = [];
  for (const { flag, descriptor } of wanted) {
    if (!await isGranted(descriptor)) lacks.push(flag);
  }
  if (unstable.includes("worker-options") && !Deno.build.standalone && !hasWorkerOptions()) {
    lacks.push("--unstable-worker-options");
  }
  const excess: string[] = [];
  for (const name of NAMES) {
    if (name === "net" && net === "all") continue;
    if (await isGranted({ name })) excess.push(`--allow-${name}`);
  }
  return { lacks, excess };
}

async function isGranted(descriptor: Deno.PermissionDescriptor): Promise<boolean> {
  return (await Deno.permissions.query(descriptor)).state === "granted";
}
