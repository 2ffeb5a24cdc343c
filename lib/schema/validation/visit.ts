/**
 * One value held against one schema node: what the parts of a check hand to each other.
 *
 * @module
 */
import type { JsonObject } from "../json_schema.ts";
import type { Finding } from "./findings.ts";

/** Findings after which a check stops. */
export const MAX_FINDINGS = 21;

/** The members of a value that some keyword spoke of, for `unevaluated…`. */
export interface Seen {
  readonly names: Set<string>;
  readonly indexes: Set<number>;
}

/** A value at a schema node. */
export interface Visit<Value = unknown> {
  readonly schema: JsonObject;
  readonly value: Value;
  /** Absent where no keyword asks for it. */
  readonly seen: Seen | undefined;
  /** What is wrong so far. */
  readonly findings: Finding[];
}

/** What the parts of a check need of the whole. */
export interface Checker {
  /** What is wrong; what was spoken of is added to `seen` when nothing is. */
  check(schema: unknown, value: unknown, seen?: Seen): readonly Finding[];
  /** The goal of a `$ref`; `undefined` when it leads nowhere. */
  resolve(reference: unknown): unknown;
}

/** Nothing seen yet. */
export function newSeen(): Seen {
  return { names: new Set(), indexes: new Set() };
}

/** Adds what one keyword saw to what was seen. */
export function addSeen(to: Seen, from: Seen): void {
  for (const name of from.names) to.names.add(name);
  for (const index of from.indexes) to.indexes.add(index);
}
