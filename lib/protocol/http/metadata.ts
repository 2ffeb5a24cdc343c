/**
 * Metadata of calls over HTTP: request headers, and entries that are meant for Bowire itself.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import type { ClientTls } from "./exchange.ts";
import { readTls } from "./tls.ts";

/** Metadata of a call over HTTP, read and checked. */
export interface HttpMetadata {
  /** Value by lower-case header name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Query parameters to add, such as an API key. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Values for the variables of the document's servers. */
  readonly serverVariables: ReadonlyMap<string, string>;
  /** The client's certificate. */
  readonly tls: ClientTls | undefined;
}

const RESERVED_PREFIX = "__bowire";
/** What follows it is the name of a query parameter. */
export const QUERY_PREFIX = "__bowireQuery__";
/** What follows it is the name of a server's variable. */
const SERVER_PREFIX = "__bowireServer__";
const MTLS_NAME = "__bowireMtls__";

/** They belong to one connection or to the message's framing (RFC 9110, 7.6.1), not to the caller. */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Reads metadata.
 *
 * @throws {BowireError} `invalid_argument` for headers that cannot or must not be sent.
 */
export function readHttpMetadata(metadata: Readonly<Record<string, string>>): HttpMetadata {
  const headers = new Map<string, string>();
  const query: [string, string][] = [];
  const serverVariables = new Map<string, string>();
  for (const [name, value] of Object.entries(metadata)) {
    if (name.startsWith(QUERY_PREFIX)) query.push([name.slice(QUERY_PREFIX.length), value]);
    else if (name.startsWith(SERVER_PREFIX)) {
      serverVariables.set(name.slice(SERVER_PREFIX.length), value);
    } else if (!name.startsWith(RESERVED_PREFIX)) setHeader(headers, name, value);
  }
  const pems = metadata[MTLS_NAME];
  const tls = pems === undefined ? undefined : readTls(pems);
  return { headers, query, serverVariables, tls };
}

/**
 * Sets a header after a check of its name and value.
 *
 * @throws {BowireError} `invalid_argument`; the value is not quoted, it may be a secret.
 */
export function setHeader(headers: Map<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  if (CONNECTION_HEADERS.has(key)) refuse(name, "the connection sets it by itself");
  if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(key)) refuse(name, "that is not a header's name");
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    refuse(name, "its value has line breaks or other characters that no header can carry");
  }
  headers.set(key, value);
}

function refuse(name: string, reason: string): never {
  throw new BowireError(
    "invalid_argument",
    `cannot send the header ${JSON.stringify(name)}: ${reason}`,
  );
}
