/**
 * Parses as much of XML as writers of bodies need.
 *
 * @module
 */

/** An element. */
export interface XmlElement {
  /** Without a prefix. */
  readonly name: string;
  /** Values by name without a prefix. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** All text directly within. */
  readonly text: string;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Map<string, string>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = new RegExp(
  [
    /<\?[^]*?\?>|<!--[^]*?-->/, // left out
    /<!\[CDATA\[(?<data>[^]*?)\]\]>/,
    /<\/(?<closed>[^\s>]+)\s*>/,
    /<(?<opened>[^\s/>]+)(?<attributes>(?:\s+[^\s=]+="[^"]*")*)\s*(?<slash>\/?)>/,
    /(?<text>[^<]+)/,
  ].map(({ source }) => source).join("|"),
  "g",
);
const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  amp: "&",
  quot: '"',
  apos: "'",
};

/**
 * Parses one element with what is within.
 *
 * @throws {Error} when it is not well-formed.
 */
export function parseXml(source: string): XmlElement {
  const top = newElement("", "");
  const open: OpenElement[] = [top];
  let end = 0;
  for (const { 0: token, index, groups = {} } of source.matchAll(TOKEN)) {
    if (index !== end) throw new Error("it has a stray character");
    end = index + token.length;
    const current = open.at(-1) ?? top;
    current.text += groups["data"] ?? decode(groups["text"] ?? "");
    if (groups["closed"] !== undefined && open.pop()?.name !== localName(groups["closed"])) {
      throw new Error(`"${groups["closed"]}" is closed out of turn`);
    }
    if (groups["opened"] === undefined) continue;
    const element = newElement(groups["opened"], groups["attributes"] ?? "");
    current.children.push(element);
    if (groups["slash"] === "") open.push(element);
  }
  const [root, ...others] = top.children;
  if (end !== source.length || open.length !== 1 || root === undefined || others.length > 0) {
    throw new Error("it is not one element");
  }
  return root;
}

function newElement(name: string, attributes: string): OpenElement {
  const pairs = attributes.matchAll(/([^\s=]+)="([^"]*)"/g)
    .map(([, key = "", value = ""]): [string, string] => [localName(key), decode(value)]);
  return { name: localName(name), attributes: new Map(pairs), children: [], text: "" };
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function decode(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : parseInt(hex, 16));
  });
}
