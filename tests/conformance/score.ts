/**
 * The whole set of scenarios that a revision of MCP wants of a server, as the conformance suite has
 * it, held against one.
 *
 * @module
 */
import { load } from "js-yaml";
import { REQUIREMENTS, runConformance } from "../peers/peers.ts";

/** The revisions that there is a set for. */
export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** One of them. */
export type Revision = typeof REVISIONS[number];

/** How a server fared. */
export interface Score {
  /** Scenarios without a check that failed, and all. */
  readonly passed: number;
  readonly total: number;
  /** The checks that passed and those that failed, as `scenario: check`; scored or not. */
  readonly passing: ReadonlySet<string>;
  readonly failing: ReadonlySet<string>;
  /** The scored scenarios that did not pass. */
  readonly lacking: readonly string[];
}

/**
 * Runs the set of a revision.
 *
 * @param folder an empty or missing one for the verdicts.
 */
export async function scoreServer(
  url: string,
  revision: Revision,
  folder: string,
): Promise<Score> {
  await runConformance(["server", "--url", url, "--requirements", revision, "-o", folder]);
  const scored = await scoredScenarios(revision);
  const [passing, failing] = [new Set<string>(), new Set<string>()];
  const checked = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(name)?.[1] ?? name;
    for (const { id, status } of await readChecks(`${folder}/${name}/checks.json`)) {
      if (status === "SUCCESS") checked.add(scenario);
      if (status === "SUCCESS") passing.add(`${scenario}: ${id}`);
      if (status === "FAILURE") failing.add(`${scenario}: ${id}`);
    }
  }
  const lacking = scored.filter((scenario) =>
    !checked.has(scenario) || [...failing].some((check) => check.startsWith(`${scenario}: `))
  );
  const total = scored.length;
  return { passed: total - lacking.length, total, passing, failing, lacking };
}

/** The checks of a scenario; none of one that broke off. */
async function readChecks(path: string): Promise<{ id: string; status: string }[]> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

async function scoredScenarios(revision: Revision): Promise<string[]> {
  const document = load(await Deno.readTextFile(`${REQUIREMENTS}/${revision}.yaml`));
  const { server } = document as { server: string[] };
  return server;
}
