/**
 * What a run over the documents came to, as data and as text.
 *
 * @module
 */
import { peakMemoryMib } from "../progress.ts";
import type { Visit } from "./visit.ts";

/** Most failures that are named. */
const MAX_NAMED = 30;

/** The largest of something, and where it is. */
interface Largest {
  readonly where: string;
  readonly bytes: number;
}

const NOTHING: Largest = { where: "", bytes: 0 };

/** Gathers what was found in documents. */
export class Report {
  readonly #startedMs = performance.now();
  readonly #counts = {
    documents: 0,
    withoutTools: 0,
    operations: 0,
    tools: 0,
    incoming: 0,
    reversed: 0,
    bytes: 0,
    bytesWithOutputs: 0,
    schemas: 0,
  };
  readonly #leftOut = new Map<string, number>();
  readonly #failures: string[] = [];
  #largestList = NOTHING;
  #largestSchema = NOTHING;
  #slowest = { path: "", seconds: 0 };

  /** Adds one document. */
  add({ path, counts, leftOut, failures, largestSchema, elapsedMs }: Visit): void {
    if (elapsedMs > 1000 * this.#slowest.seconds) {
      this.#slowest = { path, seconds: seconds(elapsedMs) };
    }
    this.#counts.documents++;
    if (counts.tools === 0) this.#counts.withoutTools++;
    for (const name of COUNTED) this.#counts[name] += counts[name];
    for (const reason of leftOut) {
      this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
    }
    this.#failures.push(...failures.map((failure) => `${path} ${failure}`));
    this.#largestList = larger(this.#largestList, { where: path, bytes: counts.bytes });
    const { tool, bytes } = largestSchema;
    this.#largestSchema = larger(this.#largestSchema, { where: `${path} ${tool}`, bytes });
  }

  /** True when nothing is wrong. */
  get isGood(): boolean {
    return this.#failures.length === 0 && this.#counts.documents > 0;
  }

  /** All of it as JSON data. */
  toJSON(): Readonly<Record<string, unknown>> {
    return {
      isGood: this.isGood,
      ...this.#counts,
      leftOut: Object.fromEntries(this.#leftOut),
      largestList: this.#largestList,
      largestSchema: this.#largestSchema,
      failures: this.#failures.toSorted(),
      slowest: this.#slowest,
      seconds: this.#seconds(),
      peakMemoryMib: peakMemoryMib(),
    };
  }

  /** All of it for people. */
  toText(): string {
    const { documents, withoutTools, operations, tools, incoming, ...counts } = this.#counts;
    return [
      `adapter: ${documents} documents, ${operations} operations, ${tools} tools; ` +
      `${withoutTools} documents without a tool, ${incoming} webhooks and callbacks`,
      ...[...this.#leftOut].map(([reason, count]) => `  left out: ${count} x ${reason}`),
      `  lists: ${inMb(counts.bytes)} MB, with output schemas ${inMb(counts.bytesWithOutputs)} MB`,
      `  largest list: ${this.#largestList.bytes} bytes, ${this.#largestList.where}`,
      `  largest schema: ${this.#largestSchema.bytes} bytes, ${this.#largestSchema.where}`,
      `  ${counts.schemas} different schemas compiled by strict Ajv`,
      `  ${counts.reversed} documents named again with their paths in reverse order`,
      `  slowest: ${this.#slowest.seconds} s, ${this.#slowest.path}`,
      `  failures: ${this.#failures.length}`,
      ...this.#failures.toSorted().slice(0, MAX_NAMED).map((failure) => `    - ${failure}`),
      "",
      `${this.#seconds()} s, at most ${peakMemoryMib()} MiB`,
      this.isGood ? "adapter: ok" : "adapter: FAILED",
    ].join("\n");
  }

  #seconds(): number {
    return seconds(performance.now() - this.#startedMs);
  }
}

const COUNTED = [
  "operations",
  "tools",
  "incoming",
  "reversed",
  "bytes",
  "bytesWithOutputs",
  "schemas",
] as const;

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

function larger(one: Largest, other: Largest): Largest {
  return other.bytes > one.bytes ? other : one;
}

function inMb(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
