/**
 * How many calls a second one core answers.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { MAIN } from "../../../tests/fakes/bowire_process.ts";
import type { Home } from "../../../tests/fakes/home.ts";
import { type Announced, measure, startAnnounced } from "../processes.ts";

const FIXTURE = fileURLToPath(
  new URL("../../../tests/conformance/fixture/main.ts", import.meta.url),
);
const LOAD = fileURLToPath(new URL("./load.ts", import.meta.url));
const RUN = [Deno.execPath(), "run", "--cached-only", "--no-prompt", "--allow-all"];

/** Starts the fixture over HTTP, which says its URL. */
export const PARENT: readonly string[] = [...RUN, FIXTURE];

/** A core of its own for the server; clients, and the parent of a forwarder, have the other. */
const FIRST = ["taskset", "-c", "0"];
const SECOND = ["taskset", "-c", "1"];

/** What is asked, in the words of 2025-11-25 with a session, or of 2026-07-28 without. */
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** Calls a second, by what answers them. */
export async function rates(home: Home): Promise<[name: string, rate: number][]> {
  const all: [string, number][] = [];
  const measured = async (name: string, server: Promise<Announced>, tool: string) => {
    await using running = await server;
    const [url = ""] = /http:\/\/\S+/.exec(running.line) ?? [];
    for (const revision of REVISIONS) {
      const { rate } = await measure<{ rate: number }>([
        ...["--cached-only", "--allow-net=127.0.0.1,localhost", LOAD, url, tool, revision],
      ], SECOND);
      all.push([`${name}, ${revision}`, rate]);
    }
  };
  const env = ["env", `BOWIRE_DATA_DIR=${home.path}`];
  const bowire = (...args: string[]) =>
    startAnnounced([
      ...[...FIRST, ...env, ...RUN, MAIN, "mcp", "serve", "--bind", "http", "--port", "0"],
      ...args,
    ]);
  const text = "test_simple_text";
  await measured("bowire, bowire.allowlist.show", bowire(), "bowire.allowlist.show");
  await measured("the parent", startAnnounced([...FIRST, ...PARENT]), text);
  await using parent = await startAnnounced([...SECOND, ...PARENT]);
  await measured("bowire --attach", bowire("--attach", parent.line), text);
  return all;
}
