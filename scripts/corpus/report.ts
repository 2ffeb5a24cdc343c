/**
 * What a run found, as data and as text.
 *
 * @module
 */
import type { DiscoveryResult } from "./discovery.ts";
import type { RawOperation } from "./judge/raw.ts";
import { peakMemoryMib } from "./progress.ts";
import { Tally, type TallyEntry } from "./tally.ts";

const MAX_SLOWEST = 5;

/** Gathers what a run finds. */
export class Report {
  /** Of requests. */
  readonly complaints = new Tally();
  /** Counts of calls. */
  readonly calls = { operations: 0, argumentSets: 0, requests: 0, secondOpinions: 0 };
  readonly #startedMs = performance.now();
  readonly #counts = { documents: 0, written: 0, referred: 0, methods: 0, discoveryMs: 0 };
  readonly #leftOut: string[] = [];
  readonly #lost: string[] = [];
  readonly #invented: string[] = [];
  readonly #crashes: string[] = [];
  #slowest: { path: string; elapsedMs: number }[] = [];

  /** Counts one document that was discovered. */
  addDiscovery(
    path: string,
    { operations, found, elapsedMs }: {
      operations: readonly RawOperation[];
      found: DiscoveryResult;
      elapsedMs: number;
    },
  ): void {
    this.#countOperations(operations);
    this.#counts.methods += found.methods.size;
    this.#counts.discoveryMs += elapsedMs;
    const { leftOut, lost, invented } = found;
    this.#leftOut.push(...leftOut.map((remark) => `${path} ${remark}`));
    this.#lost.push(...lost.map((operation) => `${path} ${operation}`));
    this.#invented.push(...invented.map((operation) => `${path} ${operation}`));
    this.#slowest = [...this.#slowest, { path, elapsedMs }]
      .sort((a, b) => b.elapsedMs - a.elapsedMs).slice(0, MAX_SLOWEST);
  }

  /** Counts one document whose discovery failed: all of its operations are lost. */
  addCrash(path: string, operations: readonly RawOperation[], error: unknown): void {
    this.#countOperations(operations);
    this.#crashes.push(`${path} (${operations.length} operations): ${error}`);
  }

  #countOperations(operations: readonly RawOperation[]): void {
    const referred = operations.filter(({ isReferred }) => isReferred).length;
    this.#counts.documents++;
    this.#counts.referred += referred;
    this.#counts.written += operations.length - referred;
  }

  /** True when nothing is lost and nothing is unexplained. */
  get isGood(): boolean {
    return [this.#lost, this.#invented, this.#crashes].every(({ length }) => length === 0) &&
      this.complaints.unexplained === 0;
  }

  /** All of it as JSON data. */
  toJSON(): Readonly<Record<string, unknown>> {
    const { discoveryMs, ...counts } = this.#counts;
    return {
      isGood: this.isGood,
      discovery: {
        ...counts,
        leftOut: this.#leftOut,
        lost: this.#lost,
        invented: this.#invented,
        crashes: this.#crashes,
        seconds: seconds(discoveryMs),
        slowest: this.#slowest.map(({ path, elapsedMs }) => ({
          path,
          seconds: seconds(elapsedMs),
        })),
      },
      calls: this.calls,
      complaints: this.complaints.entries,
      seconds: seconds(performance.now() - this.#startedMs),
      peakMemoryMib: peakMemoryMib(),
    };
  }

  /** All of it for people. */
  toText(): string {
    const { documents, written, referred, methods, discoveryMs } = this.#counts;
    const { operations, argumentSets, requests, secondOpinions } = this.calls;
    const slowest = this.#slowest.map(({ path, elapsedMs }) => `${path} ${seconds(elapsedMs)} s`);
    return [
      `discovery: ${documents} documents, ${written} operations and ${referred} by reference`,
      `  ${methods} became methods, in ${seconds(discoveryMs)} s; slowest: ${slowest.join(", ")}`,
      ...listed("left out with a reason", this.#leftOut),
      ...listed("lost without a reason", this.#lost),
      ...listed("methods that are not in the document", this.#invented),
      ...listed("documents that could not be read", this.#crashes),
      "",
      `requests: ${operations} operations drawn, ${argumentSets} sets of arguments made, ` +
      `${requests} requests judged, ${secondOpinions} second opinions`,
      `  ${this.complaints.unexplained} disagreements without an explanation`,
      ...this.complaints.entries.flatMap(describeEntry),
      "",
      `${seconds(performance.now() - this.#startedMs)} s, at most ${peakMemoryMib()} MiB`,
      this.isGood ? "corpus: ok" : "corpus: FAILED",
    ].join("\n");
  }
}

function describeEntry({ kind, reason, count, examples }: TallyEntry): string[] {
  return [
    `  ${reason === undefined ? "UNEXPLAINED" : "explained"}: ${count} x ${kind}`,
    ...reason === undefined ? [] : [`    ${reason}`],
    ...examples.map((example) => `    - ${example}`),
  ];
}

function listed(what: string, items: readonly string[]): string[] {
  return [`  ${what}: ${items.length}`, ...items.map((item) => `    - ${item}`)];
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
