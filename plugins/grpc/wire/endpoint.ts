/**
 * Where calls go and how: what a target and its metadata say together.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import {
  type CallContext,
  type ClientTlsSettings,
  readClientTls,
  redactUrl,
  type Target,
} from "../../../lib/protocol/mod.ts";

/** How messages are framed: gRPC over HTTP/2, gRPC-Web, or the Connect protocol. */
export type Variant = "grpc" | "web" | "connect";

/** How requests are compressed, in the words of `grpc-encoding`. */
export type Compression = "identity" | "gzip" | "deflate";

/** One server as calls see it. */
export interface Endpoint {
  readonly target: Target;
  readonly variant: Variant;
  /** In front of `/package.Service/Method`; empty for none. */
  readonly prefix: string;
  /** Replaces the target's `host:port` in `:authority` and in the check of its certificate. */
  readonly authority: string | undefined;
  readonly tls: ClientTlsSettings;
  readonly compression: Compression;
  /** What goes along with every call, by name. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The same text for endpoints that may share a connection. Holds secrets. */
  readonly key: string;
}

const VARIANTS: Readonly<Record<string, Variant>> = {
  grpc: "grpc",
  grpcweb: "web",
  web: "web",
  connect: "connect",
};

const COMPRESSIONS: readonly Compression[] = ["identity", "gzip", "deflate"];

/** A host and perhaps a port, without userinfo (RFC 9113, section 8.3.1). */
const AUTHORITY = /^(?=.{1,255}$)(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Metadata that says how to call, and does not travel itself. */
const RESERVED = /^(?:__bowire|x-bowire-)/;

/**
 * Reads the endpoint of a call, the active environment's metadata included.
 *
 * @throws {BowireError} `invalid_argument` when metadata says what cannot be done, `invalid_url`
 * when the URL has a query.
 */
export function readEndpoint(
  target: Target,
  given: Readonly<Record<string, string>>,
  context: Pick<CallContext, "metadataFor">,
): Endpoint {
  const own = { ...context.metadataFor(target.url), ...given };
  const byName = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]));
  const { pathname, search } = new URL(target.url);
  if (search !== "") {
    throw new BowireError("invalid_url", `cannot call "${redactUrl(target.url)}": it has a query`, {
      hint: "gRPC has no query; send such values as metadata",
    });
  }
  const named = byName.get("x-bowire-grpc-transport") ?? target.hint ?? "grpc";
  const variant = VARIANTS[named.toLowerCase()] ?? refuse("X-Bowire-Grpc-Transport", VARIANTS);
  const encoding = byName.get("grpc-encoding") ?? "identity";
  const compression = COMPRESSIONS.find((name) => name === encoding) ??
    refuse("grpc-encoding", { identity: "", gzip: "", deflate: "" });
  const authority = byName.get(":authority");
  if (authority !== undefined && !AUTHORITY.test(authority)) {
    throw new BowireError("invalid_argument", 'cannot use ":authority": it is no host', {
      hint: 'write a name or an address, with a port or without: "api.example.com:443"',
    });
  }
  const tls = readClientTls(byName.get("__bowiremtls__") ?? "{}");
  const metadata = Object.fromEntries(
    [...byName].filter(([name]) =>
      !RESERVED.test(name) && name !== ":authority" && name !== "grpc-encoding"
    ),
  );
  return {
    target,
    variant,
    prefix: pathname.replace(/\/+$/, ""),
    authority,
    tls,
    compression,
    metadata,
    key: JSON.stringify([target.origin, authority, compression, tls]),
  };
}

function refuse(name: string, known: Readonly<Record<string, unknown>>): never {
  throw new BowireError("invalid_argument", `cannot use "${name}": its value is not known`, {
    hint: `known are: ${Object.keys(known).join(", ")}`,
  });
}
