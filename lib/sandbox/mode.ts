/**
 * Whether plugins can run in a worker here.
 *
 * @module
 */
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Where plugins run. */
export type SandboxMode = "auto" | "worker" | "none";

const FLAG = "--unstable-worker-options";

/** The flag that Deno lacks to start a worker with permissions of its own, if it lacks one. */
export function missingFlag(module: URL): string | undefined {
  if (Deno.build.standalone) return undefined; // compiled with all that it takes
  if (!hasWorkerOptions()) return FLAG;
  const unread = readsOf(module).filter((path) =>
    Deno.permissions.querySync({ name: "read", path }).state !== "granted"
  );
  return unread.length === 0 ? undefined : `--allow-read=${unread.join(",")}`;
}

/**
 * Files and folders that this process must be allowed to read to start a worker with that module:
 * Deno loads the worker's modules with this thread's permissions, though it has them already. None
 * when they do not come from a disk.
 */
export function readsOf(module: URL): string[] {
  if (module.protocol !== "file:" || Deno.build.standalone) return [];
  const here = import.meta.url;
  // Bundled, all is in one file.
  if (!here.endsWith("/sandbox/mode.ts")) return [fileURLToPath(module)];
  const sources = [new URL("..", here), new URL("../../deno.json", here), new URL(".", module)];
  return sources.map((source) => fileURLToPath(source).replace(/[/\\]$/, ""));
}

/**
 * Whether Deno was started with `--unstable-worker-options`, on the command line or by a
 * configuration file. A worker with permissions ends a process without it, and nothing can catch
 * that (Deno 2.9). No interface tells; but what Deno would start as its own child shows the flags
 * that it would hand on, and this child has no program to run.
 */
export function hasWorkerOptions(): boolean {
  // Loaded when it is needed: it takes some milliseconds.
  const { fork } = process.getBuiltinModule("node:child_process");
  try {
    const child = fork("none", [], { execPath: "/", env: {}, stdio: "ignore" });
    child.on("error", () => {}); // as it must
    return child.spawnargs.includes(FLAG);
  } catch (error) {
    // It may not look into its own environment (neither --allow-env nor --ignore-env).
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}
