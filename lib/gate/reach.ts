/**
 * Where a name may lead: the judgement on the IP address behind an admitted URL.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Address, originOf } from "./address.ts";
import { type Ip, type IpKind, parseIp } from "./ip.ts";
import { redactUrl } from "./redact.ts";

// An address of such a kind is reached only by an entry for itself.
const SPECIAL: readonly IpKind[] = ["link-local", "multicast", "unspecified", "broadcast"];

/** What the allowlist knows that bears on an address. */
export interface ReachRules {
  /** The canonical hosts of all entries. */
  readonly hosts: readonly string[];
  readonly allowsArbitraryUrls: boolean;
}

/**
 * Judges the IP address that an admitted URL leads to.
 *
 * @param address as a resolver or a socket gives it.
 * @throws {BowireError} `url_not_allowed`.
 */
export function checkReach(
  target: Pick<Address, "url" | "scheme" | "host" | "port">,
  address: string,
  { hosts, allowsArbitraryUrls }: ReachRules,
): void {
  const ip = parseIp(address);
  if (ip?.kind === "public") return;
  if (ip !== undefined && hosts.some((host) => parseIp(host)?.text === ip.text)) return;
  const isSpecial = ip === undefined || SPECIAL.includes(ip.kind);
  if (!isSpecial) {
    if (hosts.includes(target.host)) return;
    if (allowsArbitraryUrls && namesItself(target.host, ip)) return;
  }
  const url = redactUrl(target.url);
  const text = ip?.text ?? address;
  const { scheme, port } = target;
  const host = isSpecial ? inBrackets(text) : target.host;
  throw new BowireError(
    "url_not_allowed",
    `cannot reach "${url}": it leads to ${text}, which is ${ip?.kind ?? "no IP address"}, and no ` +
      `entry of the allowlist names that address${isSpecial ? " itself" : " or the host"}`,
    {
      hint: `ask the user, then start with --allow-url ${originOf({ scheme, host, port })}`,
      details: { url, address: text },
    },
  );
}

/** True for a literal address, and for the names of this machine (RFC 6761, 6.3). */
function namesItself(host: string, ip: Ip): boolean {
  return parseIp(host)?.text === ip.text ||
    ip.kind === "loopback" && /^(?:.*\.)?localhost$/.test(host);
}

function inBrackets(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
