/**
 * Whether plugins can run in a worker here.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Where plugins run. */
export type SandboxMode = "auto" | "worker" | "none";

/** The flag that Deno lacks to start a worker with permissions of its own, if it lacks one. */
export function missingFlag(module: URL): string | undefined {
  const unread = readsOf(module).filter((path) =>
    Deno.permissions.querySync({ name: "read", path }).state !== "granted"
  );
  return missingFeatureFlag() ??
    (unread.length === 0 ? undefined : `--allow-read=${unread.join(",")}`);
}

/**
 * Files and folders that this process must be allowed to read to start a worker with that module:
 * Deno loads the worker's modules with this thread's permissions, though it has them already. None
 * when they do not come from a disk.
 */
export function readsOf(module: URL): string[] {
  if (module.protocol !== "file:" || Deno.build.standalone) return [];
  const here = import.meta.url;
  const own = new URL(".", module); // bundled, all that the worker loads lies there
  const sources = here.endsWith("/sandbox/mode.ts")
    ? [new URL("..", here), new URL("../../deno.json", here), own]
    : [own];
  return sources.map((source) => fileURLToPath(source).replace(/[/\\]$/, ""));
}

const FLAG = "--unstable-worker-options";
// Not on any PATH: nothing is started, and Deno does not even ask whether it may be.
const NO_PROGRAM = "bowire-asks-deno-for-its-flags";

/**
 * `--unstable-worker-options` unless Deno was started with it, on the command line or by a
 * configuration file; `--ignore-env` when that cannot be told without.
 *
 * A worker with permissions ends a process without that flag, and nothing can catch it (Deno 2.9).
 * No interface tells; but what Deno would start as its own child shows the flags that it would hand
 * on.
 */
export function missingFeatureFlag(): string | undefined {
  // `fork` reads it. Asked first, lest Deno asks the person; "denied" may be --ignore-env.
  const variable = "NODE_V8_COVERAGE";
  const { state } = Deno.permissions.querySync({ name: "env", variable });
  if (state === "prompt") return "--ignore-env";
  // Loaded when it is needed: it takes some milliseconds.
  const { fork } = process.getBuiltinModule("node:child_process");
  try {
    const child = fork("none", [], { execPath: NO_PROGRAM, env: {}, stdio: "ignore" });
    child.on("error", () => {}); // as it must
    return child.spawnargs.includes(FLAG) ? undefined : FLAG;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return "--ignore-env";
    throw error;
  }
}
