/**
 * Environments as they lie in `environments.json`.
 *
 * @module
 */

/** One environment. Members beyond these are kept as they are. */
export interface Environment {
  /** Unambiguous within the document. */
  readonly id: string;
  /** The name for people. */
  readonly name?: string;
  /** Variables by name. */
  readonly vars?: Readonly<Record<string, string>>;
  /** `#rrggbb`. */
  readonly color?: string;
  /** How calls authenticate; `type` says which kind. */
  readonly auth?: Readonly<Record<string, unknown>>;
  /** Anything else, kept as it is. */
  readonly [member: string]: unknown;
}

/** The whole document. */
export interface EnvironmentsDocument {
  /** Variables of all environments. */
  readonly globals: Readonly<Record<string, string>>;
  /** In the order of the document. */
  readonly environments: readonly Environment[];
  /** Id of the active environment; empty when none is. */
  readonly activeEnvId: string;
  /** Anything else, kept as it is. */
  readonly [member: string]: unknown;
}
