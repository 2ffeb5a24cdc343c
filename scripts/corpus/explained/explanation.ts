/**
 * A disagreement that is understood.
 *
 * @module
 */

/** What is understood. */
export interface Explanation {
  readonly kind: RegExp;
  /** Only for these documents and operations. */
  readonly where?: RegExp;
  /** Only with such details. */
  readonly detail?: RegExp;
  readonly reason: string;
}
