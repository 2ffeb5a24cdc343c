/**
 * A resolver that leaves names alone: the runtime looks them up when it connects, within its own
 * permission, and asks nobody for anything else.
 *
 * @module
 */
import { experimental, Metadata, status } from "@grpc/grpc-js";

/** The scheme of channels that are dialled by name. */
const SCHEME = "bowire";

class NameResolver implements experimental.Resolver {
  readonly #endpoints: experimental.Endpoint[];
  readonly #listener: experimental.ResolverListener;
  /** One answer is all there is: a second one would be taken for news, and asked for again. */
  #hasAnswered = false;

  constructor({ path }: experimental.GrpcUri, listener: experimental.ResolverListener) {
    const place = experimental.splitHostPort(path);
    this.#endpoints = place === null
      ? []
      : [{ addresses: [{ host: place.host, port: place.port ?? 443 }] }];
    this.#listener = listener;
  }

  updateResolution(): void {
    if (this.#hasAnswered) return;
    this.#hasAnswered = true;
    queueMicrotask(() => {
      if (!this.#hasAnswered) return;
      const endpoints = this.#endpoints.length > 0
        ? experimental.statusOrFromValue(this.#endpoints)
        : experimental.statusOrFromError<experimental.Endpoint[]>({
          code: status.UNAVAILABLE,
          details: "there is no host and port",
          metadata: new Metadata(),
        });
      this.#listener(endpoints, {}, null, "");
    });
  }

  destroy(): void {
    this.#hasAnswered = false;
  }

  static getDefaultAuthority({ path }: experimental.GrpcUri): string {
    return path;
  }
}

experimental.registerResolver(SCHEME, NameResolver);

/** The channel's name for a host, an address in brackets included, and port. */
export function channelName(host: string, port: number): string {
  return `${SCHEME}:${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${port}`;
}
