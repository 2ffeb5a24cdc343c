// deno-lint-ignore-file no-console -- it says where it listens
/**
 * What the apps of this folder are started with.
 *
 * @module
 */

/** How an app is started. */
export interface Embedding {
  /** Another home folder than the user's. */
  readonly home?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
}

/** Says where an app listens. */
export function announce({ url }: { readonly url: string }): void {
  console.log(`The app listens on ${url}, agents connect to ${url}/bowire/mcp`);
}
