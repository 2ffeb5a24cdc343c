/**
 * The real command line with the plugins of these tests, in a worker.
 *
 * @module
 */
import { claimStdout } from "../../lib/cli/streams.ts";
import { plugins } from "./desk.ts";

const isTerminal = Deno.stdout.isTerminal();
const stdout = claimStdout();
const { runCli } = await import("../../lib/cli/main.ts");
const worker = new URL("./worker.ts", import.meta.url);
Deno.exit(await runCli(Deno.args, { stdout, isTerminal, plugins, worker }));
