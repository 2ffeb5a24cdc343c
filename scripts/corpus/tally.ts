/**
 * Counts of what was found, by kind, with examples.
 *
 * @module
 */
import { EXPLANATIONS } from "./explained.ts";
import type { Explanation } from "./explained/explanation.ts";
import type { Complaint } from "./judge/case.ts";

/** Complaints of one kind. */
export interface TallyEntry {
  readonly kind: string;
  /** Why they are right as they are; absent when nobody knows. */
  readonly reason?: string;
  count: number;
  readonly examples: string[];
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 300;

/** Counts complaints. */
export class Tally {
  readonly #entries = new Map<string, TallyEntry>();

  /** Counts one complaint about `where`, a document's path and an operation. */
  add(where: string, { kind, detail }: Complaint): void {
    const reason = EXPLANATIONS.find((explanation) => covers(explanation, where, { kind, detail }))
      ?.reason;
    const key = JSON.stringify([kind, reason]);
    const entry = this.#entries.get(key) ??
      { kind, ...(reason === undefined ? {} : { reason }), count: 0, examples: [] };
    this.#entries.set(key, entry);
    entry.count++;
    // Of several documents, if several have it.
    const isNew = !entry.examples.some((example) => example.startsWith(documentOf(where)));
    if (isNew && entry.examples.length < MAX_EXAMPLES) {
      entry.examples.push(`${where}: ${detail}`.slice(0, MAX_EXAMPLE_LENGTH));
    }
  }

  /** The unexplained first, then by count. */
  get entries(): readonly TallyEntry[] {
    return this.#entries.values().toArray().sort((a, b) =>
      Number(a.reason !== undefined) - Number(b.reason !== undefined) || b.count - a.count
    );
  }

  /** Complaints that nothing explains. */
  get unexplained(): number {
    return this.entries.filter(({ reason }) => reason === undefined)
      .reduce((sum, { count }) => sum + count, 0);
  }
}

/** The first word of `where`, and the space behind it. */
function documentOf(where: string): string {
  return where.slice(0, where.indexOf(" ") + 1);
}

function covers(explanation: Explanation, where: string, { kind, detail }: Complaint): boolean {
  return explanation.kind.test(kind) && (explanation.where?.test(where) ?? true) &&
    (explanation.detail?.test(detail) ?? true);
}
