/**
 * Which header fields a relay hands on.
 *
 * @module
 */

/** One field; names may come several times. */
export type Field = readonly [name: string, value: string];

/**
 * What belongs to one connection, one body or one encoding of it (RFC 9110, 7.6.1 and 8), what was
 * meant for the relay itself, and what a browser says of a page: never handed on.
 */
const OWN =
  /^(?:authorization|cookie|set-cookie|host|origin|connection|keep-alive|te|trailer|upgrade|expect|transfer-encoding|accept-encoding|content-length|content-encoding|vary|date|server)$|^(?:proxy-|sec-|access-control-)/;

/** The fields of a request that the parent is to see; `Mcp-Param-*` and unknown ones among them. */
export function handedOn(headers: Iterable<Field>): Field[] {
  return [...headers].filter(([name]) => !OWN.test(name.toLowerCase()));
}

/** The same without some, and with others in their place. */
export function overlaid(
  fields: Iterable<Field>,
  above: Readonly<Record<string, string>>,
): Field[] {
  const rest = [...fields].filter(([name]) => !Object.hasOwn(above, name.toLowerCase()));
  return [...rest, ...Object.entries(above)];
}
