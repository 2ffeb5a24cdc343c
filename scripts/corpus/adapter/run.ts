/**
 * The run: all documents, those that the machine has threads for at once.
 *
 * @module
 */
import { listDocuments } from "../library.ts";
import { Progress } from "../progress.ts";
import { visitAll } from "./crew.ts";
import { Report } from "./report.ts";

/** Runs over the documents whose paths have this part. */
export async function run({ only }: { readonly only: string }): Promise<Report> {
  const documents = (await listDocuments()).filter(({ path }) => path.includes(only));
  const progress = new Progress();
  const report = new Report();
  let visited = 0;
  const show = () => progress.show(() => `adapter: ${visited} of ${documents.length} documents`);
  const timer = setInterval(show, 1000); // the largest come first, and take a while
  for await (const visit of visitAll(documents)) {
    report.add(visit);
    visited++;
  }
  clearInterval(timer);
  progress.end();
  return report;
}
