/**
 * The processes of a bench: what it measures runs in one, and the server in another.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../corpus/large/serve.ts", import.meta.url));

/** Serves one file on loopback, with an `ETag` if asked for; disposing it ends the process. */
export async function serve(
  file: string,
  ...args: string[]
): Promise<AsyncDisposable & { url: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      `--allow-read=${file}`,
      "--allow-net=127.0.0.1",
      SERVER,
      file,
      ...args,
    ],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return {
    url: `http://127.0.0.1:${new TextDecoder().decode(value).trim()}/openapi.json`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.stdout.cancel();
      await child.status;
    },
  };
}

/**
 * Runs a program of ours with `deno run` and these arguments.
 *
 * @returns the JSON that it prints.
 * @throws {Error} when it fails.
 */
export async function measure<Measured>(args: readonly string[]): Promise<Measured> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...args],
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`a process failed: ${decoder.decode(stderr).slice(-1000)}`);
  return JSON.parse(decoder.decode(stdout));
}
