/**
 * The real command line with the plugins of the sandbox's tests, which have streams.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { claimStdout } from "../../lib/cli/streams.ts";
import type { StartOptions } from "../fakes/bowire_process.ts";

/** How {@linkcode startBowire} starts it. */
export const STREAMING: StartOptions = {
  main: fileURLToPath(import.meta.url),
  read: [fileURLToPath(new URL("..", import.meta.url))],
};

/** Where its plugins find their methods; nothing listens there. */
export const STREAMING_URL = "http://127.0.0.1:9";

/** The arguments that name its stream `method`, whose messages are those of the obliging plugin. */
export function streamOf(method: string, message = "0") {
  return { url: `obliging@${STREAMING_URL}`, service: "", method, body: message };
}

if (import.meta.main) {
  const isTerminal = Deno.stdout.isTerminal();
  const stdout = claimStdout();
  const { runCli } = await import("../../lib/cli/main.ts");
  const { plugins } = await import("../sandbox/plugins.ts");
  const worker = new URL("../sandbox/worker.ts", import.meta.url);
  Deno.exit(await runCli(Deno.args, { stdout, isTerminal, plugins, worker }));
}
