/**
 * What kind of place an IP address leads to.
 *
 * @module
 */

/** Where an address leads (RFC 6890); `public` is all the rest. */
export type IpKind =
  | "link-local"
  | "multicast"
  | "unspecified"
  | "broadcast"
  | "private"
  | "loopback"
  | "public";

/** An IP address. */
export interface Ip {
  /** Canonical, without brackets and zone; dotted when it is IPv4 or has an IPv4 address inside. */
  readonly text: string;
  readonly kind: IpKind;
}

const KINDS = ([
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "private"], // shared by a provider's customers (RFC 6598)
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local"], // RFC 3927; the metadata of cloud machines, too
  ["172.16.0.0/12", "private"],
  ["192.168.0.0/16", "private"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["fc00::/7", "private"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "private"], // site-local (RFC 3879)
  ["ff00::/8", "multicast"],
] as const).map(([range, kind]) => ({ ...rangeOf(range), kind }));

// The IPv4 address stands right behind the prefix.
const CARRIERS = [
  "::ffff:0:0/96", // IPv4-mapped (RFC 4291, 2.5.5.2)
  "::/96", // IPv4-compatible (RFC 4291, 2.5.5.1)
  "::ffff:0:0:0/96", // translated (RFC 2765, 2.1)
  "64:ff9b::/96", // NAT64 (RFC 6052, 2.1)
  "2002::/16", // 6to4 (RFC 3056, 2)
].map(rangeOf);

/**
 * Reads an address as sockets, resolvers and URLs write it, with or without brackets and zone.
 *
 * @returns `undefined` when it is none.
 */
export function parseIp(raw: string): Ip | undefined {
  const bare = raw.replace(/^\[(.*)\]$/s, "$1").replace(/%.*$/s, "");
  if (!/^[0-9a-fx.:]+$/i.test(bare)) return undefined;
  const isV6 = bare.includes(":");
  const host = URL.parse(isV6 ? `http://[${bare}]` : `http://${bare}`)?.hostname ?? "";
  const text = isV6 ? host.slice(1, -1) : host;
  if (text === "" || !isV6 && !/^\d+\.\d+\.\d+\.\d+$/.test(text)) return undefined;
  const bits = bitsOf(text);
  const kind = kindOf(bits);
  if (kind !== undefined) return { text, kind };
  const carrier = CARRIERS.find((range) => isWithinRange(bits, range));
  if (carrier === undefined) return { text, kind: "public" };
  const inner = bits.slice(carrier.prefix.length).slice(0, 32);
  return { text: dotted(inner), kind: kindOf(inner) ?? "public" };
}

function kindOf(bits: string): IpKind | undefined {
  return KINDS.find((range) => isWithinRange(bits, range))?.kind;
}

function isWithinRange(bits: string, { size, prefix }: Range): boolean {
  return bits.length === size && bits.startsWith(prefix);
}

/** A range of addresses: how many bits they have, and what those start with. */
interface Range {
  readonly size: number;
  readonly prefix: string;
}

function rangeOf(range: string): Range {
  const [start = "", length] = range.split("/");
  const bits = bitsOf(start);
  return { size: bits.length, prefix: bits.slice(0, Number(length)) };
}

/** The 32 or 128 bits of a canonical address, as text. */
function bitsOf(address: string): string {
  if (!address.includes(":")) return address.split(".").map((part) => binary(part, 10)).join("");
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return [...head, ...zeros, ...tail].map((part) => binary(part, 16)).join("");
}

function binary(part: string, radix: 10 | 16): string {
  return parseInt(part, radix).toString(2).padStart(radix === 10 ? 8 : 16, "0");
}

function dotted(bits: string): string {
  return [0, 8, 16, 24].map((at) => parseInt(bits.slice(at, at + 8), 2)).join(".");
}
