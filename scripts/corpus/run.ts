/**
 * The run: document after document, each discovered and compared, and what was drawn of it called.
 *
 * @module
 */
import { createRest } from "../../plugins/rest/plugin.ts";
import { compareDiscovery } from "./discovery.ts";
import { draw, type Lot } from "./draw.ts";
import { Gateway } from "./gateway.ts";
import { Judge } from "./judge/judge.ts";
import { isRawObject, operationsOf, type RawObject, type RawOperation } from "./judge/raw.ts";
import { type CorpusDocument, listDocuments } from "./library.ts";
import { Progress } from "./progress.ts";
import { Report } from "./report.ts";
import { type Bench, type Draw, makeArguments, makeRequest } from "./requests.ts";
import { SecondOpinion } from "./second_opinion.ts";

/** What a run is narrowed to. */
export interface RunOptions {
  /** A part of the paths of the documents; empty for all. */
  readonly only: string;
  /** Operations to call, at least one of each document. */
  readonly operations: number;
  readonly seed: number;
}

/** Runs over the documents, one at a time. */
export async function run({ only, operations, seed }: RunOptions): Promise<Report> {
  const report = new Report();
  const progress = new Progress();
  const documents = (await listDocuments()).filter(({ path }) => path.includes(only));
  const lots: Lot[] = [];
  for (const { path, file } of documents) {
    const root = parse(await Deno.readFile(file));
    // What cannot be sent is not drawn.
    const callable = operationsOf(root).filter(({ verb }) => verb !== "TRACE");
    lots.push(...callable.map((operation) => lotOf(path, operation)));
  }
  const drawn = draw(lots, operations, seed);
  await using second = new SecondOpinion();
  const visitor = new Visitor(report, { drawn, seed, second });
  for (const [at, document] of documents.entries()) {
    progress.show(() =>
      `${at} of ${documents.length} documents, ${report.calls.requests} requests`
    );
    await visitor.visit(document);
  }
  progress.end();
  return report;
}

/** Discovers documents and calls what was drawn of them. */
class Visitor {
  readonly #report: Report;
  readonly #drawn: ReadonlySet<string>;
  readonly #seed: number;
  readonly #second: SecondOpinion;

  constructor(
    report: Report,
    { drawn, seed, second }: { drawn: readonly Lot[]; seed: number; second: SecondOpinion },
  ) {
    this.#report = report;
    this.#drawn = new Set(drawn.map(nameOf));
    this.#seed = seed;
    this.#second = second;
  }

  async visit({ path, file, url }: CorpusDocument): Promise<void> {
    const bytes = await Deno.readFile(file);
    const root = parse(bytes);
    const operations = operationsOf(root);
    const gateway = new Gateway({ url, bytes });
    // Its clock stands still, so that the document is loaded once.
    const rest = createRest({ nowMs: () => 0 });
    const startedMs = performance.now();
    let found;
    try {
      found = await compareDiscovery(rest, gateway, operations);
    } catch (error) {
      this.#report.addCrash(path, operations, error);
      return;
    }
    const elapsedMs = performance.now() - startedMs;
    this.#report.addDiscovery(path, { operations, found, elapsedMs });
    const bench = { rest, gateway, judge: new Judge(root, url), root, seed: this.#seed };
    for (const [operation, name] of found.methods) {
      const where = nameOf(lotOf(path, operation));
      if (this.#drawn.has(where)) {
        await this.#call({ operation, name }, bench, { where, root, url });
      }
    }
  }

  async #call(
    drawn: Draw,
    bench: Bench,
    { where, ...origin }: { where: string; root: RawObject; url: string },
  ): Promise<void> {
    const { calls, complaints } = this.#report;
    calls.operations++;
    const given = await makeArguments(bench, drawn);
    given.complaints.forEach((complaint) => complaints.add(where, complaint));
    for (const set of given.sets) {
      calls.argumentSets++;
      const judgement = await makeRequest(bench, drawn, set);
      if ("kind" in judgement) {
        complaints.add(where, judgement);
        continue;
      }
      calls.requests++;
      judgement.complaints.forEach((complaint) => complaints.add(where, complaint));
      calls.secondOpinions++;
      const others = await this.#second.compare(judgement, origin);
      others.forEach((complaint) => complaints.add(where, complaint));
    }
  }
}

function parse(bytes: Uint8Array<ArrayBuffer>): RawObject {
  const root: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (!isRawObject(root)) throw new TypeError("a document is no object");
  return root;
}

function lotOf(document: string, { verb, path }: RawOperation): Lot {
  return { document, operation: `${verb} ${path}` };
}

function nameOf({ document, operation }: Lot): string {
  return `${document} ${operation}`;
}
