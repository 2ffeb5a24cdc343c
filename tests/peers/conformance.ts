/**
 * Scenarios of the MCP conformance suite, which is one of the peers.
 *
 * @module
 */
import { runConformance } from "./peers.ts";

/** A scenario for servers. */
export interface Scenario {
  readonly name: string;
  /** Revision of the protocol. */
  readonly revision: string;
}

/** How the checks of a scenario ended, by their ids, in order. */
export interface Verdicts {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** All that the suite said. */
  readonly output: string;
}

/**
 * Runs a scenario against a server.
 *
 * @param folder an empty or missing one for the verdicts.
 */
export async function judge(
  url: string,
  { name, revision }: Scenario,
  folder: string,
): Promise<Verdicts> {
  const { stdout, stderr } = await runConformance([
    ...["server", "--url", url, "--scenario", name],
    ...["--spec-version", revision, "--output-dir", folder],
  ]);
  const checks = await readChecks(folder);
  const named = (status: string) =>
    checks.filter((check) => check.status === status).map(({ id }) => id).toSorted();
  return { passed: named("SUCCESS"), failed: named("FAILURE"), output: stdout + stderr };
}

/** The checks of the one scenario that was run. */
async function readChecks(folder: string): Promise<{ id: string; status: string }[]> {
  for await (const { name } of Deno.readDir(folder)) {
    return JSON.parse(await Deno.readTextFile(`${folder}/${name}/checks.json`));
  }
  return [];
}
