/**
 * Disagreements that are understood: each with the reason why the request is right all the same.
 *
 * @module
 */
import { CHOICES, JUDGE } from "./explained/choices.ts";
import { DOCUMENTS } from "./explained/documents.ts";
import type { Explanation } from "./explained/explanation.ts";
import { SECOND } from "./explained/second.ts";

/** All that is understood; the first that fits counts. */
export const EXPLANATIONS: readonly Explanation[] = [
  ...DOCUMENTS,
  ...CHOICES,
  ...JUDGE,
  ...SECOND,
];
