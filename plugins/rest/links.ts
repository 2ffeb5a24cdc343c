/**
 * The `Link` header (RFC 8288): where the next page is, and the like.
 *
 * @module
 */

// `<uri>; rel="next last"; …`, one after the other.
const LINK = /<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;
/** Longest header that is read, and most links that are shown. */
const MAX_HEADER_LENGTH = 16_384;
const MAX_LINKS = 20;

/**
 * The links of an answer, by relation.
 *
 * @param url of the answer, against which they are resolved.
 */
export function linksIn(header: string, url: string): Map<string, string> {
  const links = new Map<string, string>();
  if (header.length > MAX_HEADER_LENGTH) return links;
  for (const [, reference = "", parameters = ""] of header.matchAll(LINK)) {
    const [, quoted, bare = ""] = REL.exec(parameters) ?? [];
    const goal = URL.parse(reference, url)?.href;
    for (const relation of (quoted ?? bare).split(/\s+/)) {
      const name = relation.toLowerCase();
      if (goal === undefined || !/^[a-z][\w.-]*$/.test(name) || links.size >= MAX_LINKS) continue;
      if (!links.has(name)) links.set(name, goal);
    }
  }
  return links;
}
