/**
 * Environments as they lie in `environments.json`.
 *
 * @module
 */

/** One environment. Members beyond these are kept as they are. */
export interface Environment {
  readonly id: string;
  readonly name?: string;
  readonly vars?: Readonly<Record<string, string>>;
  readonly color?: string;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** The whole document. */
export interface EnvironmentsDocument {
  readonly globals: Readonly<Record<string, string>>;
  readonly environments: readonly Environment[];
  /** Id of the active environment; empty when none is. */
  readonly activeEnvId: string;
  readonly [member: string]: unknown;
}
