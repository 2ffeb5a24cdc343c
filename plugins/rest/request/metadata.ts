/**
 * What documents and calls are asked for with.
 *
 * @module
 */
import { type HttpMetadata, type HttpRequest, USER_AGENT } from "../../../lib/protocol/mod.ts";

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

/** How to ask for a document: as the caller does, but for the headers about a call's content. */
export function documentRequest({ headers, tls }: HttpMetadata): DocumentRequest {
  // Under the name of a scheme that only the document knows, a certificate looks like a header.
  const callers = [...headers].filter(([name, value]) =>
    !CONTENT_HEADER.test(name) && !value.includes("PRIVATE KEY-----")
  );
  return {
    headers: [...new Map([...DOCUMENT_HEADERS, ...callers])],
    ...(tls === undefined ? {} : { tls }),
  };
}
