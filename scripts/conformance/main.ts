// deno-lint-ignore-file no-console -- a script prints its tables
/**
 * Scores the forwarder, what it stands in front of, and gateways of others by the MCP conformance
 * suite: for each set-up and revision the scenarios that pass, of those that the revision wants.
 *
 * Behind supergateway, which lets in every `Host`, one scenario fails whatever it stands in front of.
 *
 * Run: `deno task conformance` (installs the programs first); `--only PART` for the set-ups with
 * this in their name, `--failures` to name the scenarios that fail.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { startFixture } from "../../tests/conformance/fixture/server.ts";
import { REVISIONS, type Score, scoreServer } from "../../tests/conformance/score.ts";
import { Home } from "../../tests/fakes/home.ts";
import { SET_UPS, type Start } from "./set_ups.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, failures: { type: "boolean" } },
});
const chosen = Object.entries(SET_UPS).filter(([name]) => name.includes(values.only));
const width = Math.max(...chosen.map(([name]) => name.length));

const rows: string[] = [];
for (const [name, start] of chosen) {
  const cells: string[] = [];
  for (const revision of REVISIONS) {
    const score = await scoreOf(start, revision);
    const cell = `${score.passed}/${score.total}`;
    console.log(`${name} ${revision} ${cell}`);
    if (values.failures === true) {
      for (const scenario of score.lacking) console.log(`  ${scenario}`);
    }
    cells.push(cell);
  }
  rows.push(rowOf(name, cells));
}
console.log(`\n${rowOf("set-up", REVISIONS)}\n${rows.join("\n")}`);

/** Each revision has a set-up of its own: nothing is left in it from the other. */
async function scoreOf(start: Start, revision: typeof REVISIONS[number]): Promise<Score> {
  await using home = await Home.make();
  await using kept = new AsyncDisposableStack();
  const startParent = (token?: string) =>
    Promise.resolve(kept.use(startFixture(token === undefined ? {} : { token })).url);
  const url = await start({ home, startParent, keep: (it) => kept.use(it) });
  return await scoreServer(url, revision, home.file("verdicts"));
}

function rowOf(name: string, cells: readonly string[]): string {
  return [name.padEnd(width), ...cells.map((cell) => cell.padStart(10))].join("  ");
}
