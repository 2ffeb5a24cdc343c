/**
 * Where we and buf differ on purpose, each with its reason.
 *
 * @module
 */
import type { Difference } from "./bench.ts";

/** A kind of difference that is no defect. */
export interface Explanation {
  readonly reason: string;
  readonly explains: (difference: Difference) => boolean;
}

/** All of them; a run fails for a difference that none of them explains. */
export const EXPLANATIONS: readonly Explanation[] = [
  {
    reason: "null for a list of Value or NullValue is the empty list, as for other lists; " +
      "Go reads it as a value that is no list",
    explains: ({ step, theirs }) =>
      step === "JSON to bytes" && theirs.includes("unexpected token null"),
  },
];
