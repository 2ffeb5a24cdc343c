/**
 * The processes of a bench: what it measures runs in one, and the server in another.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const SERVER = fileURLToPath(new URL("../corpus/large/serve.ts", import.meta.url));

/** A program that runs; disposing it ends it. */
export interface Announced extends AsyncDisposable {
  /** What it wrote first. */
  readonly line: string;
}

/** Starts a command that says in one line where it serves, and waits for that. */
export async function startAnnounced(
  [command = "", ...args]: readonly string[],
): Promise<Announced> {
  const child = new Deno.Command(command, { args, stdin: "null", stdout: "piped", stderr: "null" })
    .spawn();
  const reader = child.stdout.getReader();
  const { value, done } = await reader.read();
  if (done) throw new Error(`"${[command, ...args].join(" ")}" ended without a word`);
  reader.releaseLock();
  return {
    line: new TextDecoder().decode(value).trim(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.stdout.cancel();
      await child.status;
    },
  };
}

/** Serves one file on loopback, with an `ETag` if asked for; disposing it ends the process. */
export async function serve(
  file: string,
  ...args: string[]
): Promise<AsyncDisposable & { url: string }> {
  const flags = ["--no-prompt", `--allow-read=${file}`, "--allow-net=127.0.0.1"];
  const command = [Deno.execPath(), "run", ...flags, SERVER, file, ...args];
  const { line: port, ...server } = await startAnnounced(command);
  return { ...server, url: `http://127.0.0.1:${port}/openapi.json` };
}

/**
 * Runs a program of ours with `deno run` and these arguments.
 *
 * @param before what starts it, `taskset` for instance.
 * @returns the JSON that it prints.
 * @throws {Error} when it fails.
 */
export async function measure<Measured>(
  args: readonly string[],
  before: readonly string[] = [],
): Promise<Measured> {
  const [command = "", ...words] = [...before, Deno.execPath(), "run", "--no-prompt", ...args];
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: words,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`a process failed: ${decoder.decode(stderr).slice(-1000)}`);
  return JSON.parse(decoder.decode(stdout));
}
