/**
 * One HTTP exchange as plain data.
 *
 * @module
 */

/** Bounds of one exchange. */
export interface HttpLimits {
  /** For the exchange, redirects and body included, in milliseconds. @default what the call has left */
  readonly timeoutMs?: number;
  /** Most bytes of the answer's body after decompression. @default 16777216 */
  readonly maxBytes?: number;
  /** Most redirects that are followed. @default 10 */
  readonly maxRedirects?: number;
}

/** A request that can be sent again after a redirect. */
export interface HttpRequest extends HttpLimits {
  /** @default "GET" */
  readonly method?: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Not used after a redirect to another origin. */
  readonly tls?: ClientTls;
}

/** How the client shows itself in TLS. */
export interface ClientTls {
  /** PEM. */
  readonly certificate?: string;
  /** PEM, not encrypted. */
  readonly privateKey?: string;
  /** PEM of an authority to trust besides the known ones. */
  readonly caCertificate?: string;
}

/** An answer whose body is read as it comes. */
export interface HttpStream extends Omit<HttpAnswer, "body" | "isPartial"> {
  /** The pieces of the body, decompressed. One who stops reading lets go of the connection. */
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Lets go of the connection at once, also while a piece is waited for, which is then the last. */
  cancel(): void;
}

/** A whole answer. */
export interface HttpAnswer {
  /** Where it came from after redirects. */
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  /** Lower-case names, in order; `set-cookie` once per cookie. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** True when a stream went on beyond the time limit; the body is what had come by then. */
  readonly isPartial?: boolean;
}
