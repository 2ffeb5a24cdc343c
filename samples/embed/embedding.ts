// deno-lint-ignore-file no-console -- it says where it listens
/**
 * What the apps of this folder are started with.
 *
 * @module
 */

import type { Bowire } from "../../mod.ts";

/** How an app is started. */
export interface Embedding {
  /** Another home folder than the user's. */
  readonly home?: string;
  /** 0 takes a free one. @default 0 */
  readonly port?: number;
}

/** A running app; disposing it ends it. */
export interface RunningApp extends AsyncDisposable {
  /** Origin, without a slash at the end. */
  readonly url: string;
}

/** The app of a server that Bowire is part of. */
export function runningApp(
  server: Deno.HttpServer<Deno.NetAddr>,
  bowire: Pick<Bowire, "close">,
): RunningApp {
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    async [Symbol.asyncDispose]() {
      await bowire.close(); // first: a client's open stream would hold the server up
      await server.shutdown();
    },
  };
}

/** Says where an app listens. */
export function announce({ url }: RunningApp): void {
  console.log(`The app listens on ${url}, agents connect to ${url}/bowire/mcp`);
}
