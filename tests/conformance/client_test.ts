import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Home } from "../fakes/home.ts";
import { HAS_PEERS, runConformance } from "../peers/peers.ts";

/** The scenarios without OAuth. */
const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  "2025-11-25": [
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
  ],
  "2026-07-28": [
    "tools_call",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
  ],
};

/** The suite splits the command at its spaces: what lies above the current folder may have some. */
const COMMAND = [
  relative(Deno.cwd(), Deno.execPath()),
  ...["run", "--quiet", "--cached-only", "--no-check", "--allow-all"],
  relative(Deno.cwd(), fileURLToPath(new URL("./client_driver.ts", import.meta.url))),
].join(" ");

for (const [revision, names] of Object.entries(SCENARIOS)) {
  for (const name of names) {
    Deno.test({
      name: `the plugin mcp conforms to ${revision}: ${name}`,
      ignore: !HAS_PEERS,
      async fn() {
        await using home = await Home.make();
        const folder = home.file("results");
        const run = await runConformance([
          ...["client", "--command", COMMAND, "--scenario", name],
          ...["--spec-version", revision, "--output-dir", folder],
        ]);
        const checks = await readChecks(folder);
        const said = run.stdout + run.stderr;
        const named = (status: string) => checks.filter((check) => check.status === status);
        ok(named("SUCCESS").length > 0, said);
        deepStrictEqual([...named("FAILURE"), ...named("WARNING")].map(({ id }) => id), [], said);
        strictEqual(run.code, 0, said);
      },
    });
  }
}

/** The verdicts of the one scenario that was run. */
async function readChecks(folder: string): Promise<{ id: string; status: string }[]> {
  for await (const { name } of Deno.readDir(folder)) {
    return JSON.parse(await Deno.readTextFile(`${folder}/${name}/checks.json`));
  }
  return [];
}
