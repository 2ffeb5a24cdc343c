/**
 * How far a call is.
 *
 * @module
 */

/** A step of a call that is still going on. Plain data: it crosses a worker's border unchanged. */
export interface Progress {
  /** Grows with every report, in whatever `total` counts. */
  readonly done: number;
  /** Left out when it is not known. */
  readonly total?: number;
  /** One sentence for people. */
  readonly message?: string;
}
