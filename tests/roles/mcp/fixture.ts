/**
 * The executable, allowed to start what the peers are started with.
 *
 * @module
 */
import { type Finished, flagsFor, runBowire } from "../../fakes/bowire_process.ts";
import type { Home } from "../../fakes/home.ts";
import type { McpCommand } from "../../peers/mcp_peers.ts";
import { HAS_PEERS, NODE } from "../../peers/peers.ts";

/** Runs a command line to its end. */
export function run(home: Home, args: readonly string[], stdin = ""): Promise<Finished> {
  return runBowire(home, args, { flags: [...flagsFor(home), `--allow-run=${NODE}`], stdin });
}

/** The options that start a server. */
export function startedBy({ command, args, env }: McpCommand): string[] {
  const words = [command, ...args].map((word) => `"${word}"`).join(" ");
  const variables = Object.entries(env).flatMap(([name, value]) => [
    "--mcp-env",
    `${name}=${value}`,
  ]);
  return ["--mcp-command", words, ...variables];
}

/** A test of servers that no one here wrote. */
export function peerTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, ignore: !HAS_PEERS, fn });
}
