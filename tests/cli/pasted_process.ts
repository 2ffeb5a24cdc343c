/**
 * The real program with permissions that it printed itself, and what it then touched.
 *
 * @module
 */
import { resolve } from "node:path";
import type { StartOptions } from "../fakes/bowire_process.ts";
import type { Home } from "../fakes/home.ts";

const WORKER_FLAG = "--unstable-worker-options";

/**
 * Start `deno run FLAGS main.ts`, with a file of all that it asks Deno for. Its packages are there
 * already, so that none is fetched meanwhile.
 */
export function pasted(home: Home, flags: readonly string[]): StartOptions {
  return {
    flags: ["--cached-only", ...flags],
    env: { DENO_AUDIT_PERMISSIONS: home.file("audit.jsonl") },
  };
}

/** The words that a shell makes of a line, as far as quotes go. */
export function shellWords(line: string): string[] {
  const words = line.trim().match(/(?:'[^']*'|\\'|[^\s'\\])+/g) ?? [];
  return words.map((word) => word.replace(/'([^']*)'|\\'/g, (_whole, quoted) => quoted ?? "'"));
}

/** One thing that the program asked Deno for. */
interface Access {
  readonly permission: string;
  readonly value: string | null;
}

/** What the program touched, of one kind. */
export async function touched(home: Home, permission: string): Promise<string[]> {
  return (await readAudit(home)).filter((access) => access.permission === permission)
    .map(({ value }) => String(value));
}

/** What the program touched that the flags do not list. Empty answers of --ignore-env are listed. */
export async function touchedBeyond(home: Home, flags: readonly string[]): Promise<Access[]> {
  const listed = (flag: string) =>
    flags.find((text) => text.startsWith(`${flag}=`))?.slice(flag.length + 1).split(",") ?? [];
  const isBelow = (path: string, folders: readonly string[]) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  return (await readAudit(home)).filter(({ permission, value }) => {
    if (permission === "env") return !flags.includes("--ignore-env");
    // Deno itself asks for all of it when a worker is to get a list, and takes the no.
    if (permission === "net" && value === null) return !flags.includes(WORKER_FLAG);
    if (permission === "net") return !listed("--allow-net").includes(pairOf(value ?? ""));
    const path = resolve(home.path, value ?? "/");
    if (permission === "read") return !isBelow(path, listed("--allow-read"));
    if (permission === "write") return !isBelow(path, listed("--allow-write"));
    return true;
  });
}

/** `fetch` is asked about by URL, a socket by host and port. */
function pairOf(value: string): string {
  if (!value.includes("://")) return value;
  const { hostname, port, protocol } = new URL(value);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}

async function readAudit(home: Home): Promise<Access[]> {
  const lines = (await home.read("audit.jsonl")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}
