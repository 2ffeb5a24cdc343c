/**
 * A call's metadata: request headers, and entries that are meant for Bowire itself.
 *
 * @module
 */
import { BowireError } from "../../../lib/errors/mod.ts";
import { type ClientTls, type HttpRequest, USER_AGENT } from "../../../lib/protocol/mod.ts";
import { readTls } from "./tls.ts";

/** Metadata, read and checked. */
export interface Metadata {
  /** Value by lower-case header name. */
  readonly headers: ReadonlyMap<string, string>;
  /** Query parameters to add, such as an API key. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Values for the variables of the document's servers. */
  readonly serverVariables: ReadonlyMap<string, string>;
  /** The client's certificate. */
  readonly tls: ClientTls | undefined;
}

/** Headers of a call whose metadata has no others. */
export const DEFAULT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["accept", "application/json, */*;q=0.8"],
  ["user-agent", USER_AGENT],
];

/** What a document is asked for with. */
export type DocumentRequest = Pick<HttpRequest, "headers" | "tls">;

const DOCUMENT_HEADERS: readonly (readonly [name: string, value: string])[] = [
  ["accept", "application/json, application/yaml;q=0.9, */*;q=0.5"],
  ["user-agent", USER_AGENT],
];
/** How a document is asked for where nobody's credentials may go. */
export const PLAIN_REQUEST: DocumentRequest = { headers: DOCUMENT_HEADERS };

/** They are about one resource, which is not the document (RFC 9110, 8 and 12 to 14). */
const CONTENT_HEADER = /^(accept|content-.*|if-.*|range)$/;

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
export function readMetadata(metadata: Readonly<Record<string, string>>): Metadata {
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

/** How to ask for a document: as the caller does, but for the headers about a call's content. */
export function documentRequest({ headers, tls }: Metadata): DocumentRequest {
  // Under the name of a scheme that only the document knows, a certificate looks like a header.
  const callers = [...headers].filter(([name, value]) =>
    !CONTENT_HEADER.test(name) && !value.includes("PRIVATE KEY-----")
  );
  return {
    headers: [...new Map([...DOCUMENT_HEADERS, ...callers])],
    ...(tls === undefined ? {} : { tls }),
  };
}

function refuse(name: string, reason: string): never {
  throw new BowireError(
    "invalid_argument",
    `cannot send the header ${JSON.stringify(name)}: ${reason}`,
  );
}
