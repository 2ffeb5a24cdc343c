/**
 * Starts a worker that may do nothing but reach some hosts.
 *
 * @module
 */

/** What a worker is started with. */
export interface WorkerStart {
  /** The module that calls `serveDialer`. */
  readonly module: URL;
  /** `host:port` pairs that Deno lets it reach; `"inherit"` for all that this process may. */
  readonly net: readonly string[] | "inherit";
}

/** @throws {Error} `NotCapable` when `net` has what this process may not reach. */
export function startWorker({ module, net }: WorkerStart): Worker {
  return new Worker(module, {
    type: "module",
    name: "bowire plugins",
    deno: {
      permissions: {
        net: net === "inherit" ? "inherit" : [...net],
        env: false,
        ffi: false,
        import: false,
        read: false,
        run: false,
        sys: false,
        write: false,
      },
    },
  });
}
