/**
 * URLs in canonical form, so that two spellings of one place compare equal and two places never do.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { redactUrl } from "./redact.ts";

/** A parsed URL. Every part is canonical. */
export interface Address {
  /** The protocol named in front, as in `rest@https://…`; lower case. */
  readonly hint: string | undefined;
  /** Lower case, without the colon. */
  readonly scheme: string;
  /** ASCII, lower case, no trailing dot; IPv4 dotted, also when given as a number or mapped to IPv6. */
  readonly host: string;
  /** Always explicit; 0 when the scheme has no known default and none was given. */
  readonly port: number;
  /** The whole URL, canonical, without the hint. */
  readonly url: string;
  /** Decoded path segments without empty ends; a trailing slash is not a segment. */
  readonly segments: readonly string[];
}

/** Longest URL that is looked at, in characters. */
export const MAX_URL_LENGTH = 8192;

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  mqtt: 1883,
  mqtts: 8883,
  nats: 4222,
  amqp: 5672,
  amqps: 5671,
};

/**
 * Parses a URL with an optional `hint@` in front.
 *
 * @throws {BowireError} `invalid_url` when it has no scheme or host, carries userinfo or control
 * characters, or is longer than {@linkcode MAX_URL_LENGTH}.
 */
export function parseAddress(raw: string): Address {
  if (raw.length > MAX_URL_LENGTH) refuse(raw, `it is longer than ${MAX_URL_LENGTH} characters`);
  // deno-lint-ignore no-control-regex -- these are what is being refused
  if (/[\u0000-\u001f\u007f]/.test(raw)) refuse(raw, "it contains control characters");
  const { hint, rest } = splitHint(raw.trim());
  const match = /^([a-z][a-z0-9+.-]*):\/\/(.+)$/i.exec(rest);
  if (match === null) {
    refuse(
      raw,
      "it has no scheme",
      `write it out, as in "http://${shown(rest.replace(/^\/+/, ""))}"`,
    );
  }
  const [, givenScheme = "", afterScheme = ""] = match;
  const scheme = givenScheme.toLowerCase();
  // Schemes that the URL standard does not know get no host rules, so they borrow those of ftp.
  const parsed = URL.parse(isSpecial(scheme) ? rest : `ftp://${afterScheme}`);
  if (parsed === null || parsed.hostname === "") refuse(raw, "its host or port is not valid");
  if (parsed.username !== "" || parsed.password !== "") {
    refuse(raw, "it carries a user name or password", "send credentials as metadata instead");
  }
  const host = canonicalHost(parsed.hostname);
  if (host === "") refuse(raw, "its host is empty");
  // A port that is the default of ftp is lost; a second lender keeps it.
  const givenPort = parsed.port === "" && !isSpecial(scheme)
    ? URL.parse(`http://${afterScheme}`)?.port ?? ""
    : parsed.port;
  const port = givenPort === "" ? DEFAULT_PORTS[scheme] ?? 0 : Number(givenPort);
  const shownPort = givenPort === "" || port === DEFAULT_PORTS[scheme] ? "" : `:${port}`;
  return {
    hint,
    scheme,
    host,
    port,
    url: `${scheme}://${host}${shownPort}${parsed.pathname}${parsed.search}${parsed.hash}`,
    segments: pathSegments(parsed.pathname),
  };
}

/** True when `child` lies at `parent` or below it: same scheme, host and port, path by segments. */
export function isWithin(child: Address, parent: Address): boolean {
  return child.scheme === parent.scheme && child.host === parent.host &&
    child.port === parent.port &&
    parent.segments.every((segment, index) => segment === child.segments[index]) &&
    // Only a path that stays put after decoding counts: `%2e%2e%2f` is undone by many servers.
    (parent.segments.length === 0 || !child.segments.some(climbs));
}

/** `scheme://host:port`, the port always written. */
export function originOf(address: Pick<Address, "scheme" | "host" | "port">): string {
  return `${address.scheme}://${address.host}:${address.port}`;
}

/** Splits `hint@url`: letters, digits and hyphens, with a whole URL behind (reference section 10.3). */
function splitHint(raw: string): { hint: string | undefined; rest: string } {
  const match = /^([a-z0-9-]+)@(.*:\/\/.*)$/is.exec(raw);
  return { hint: match?.[1]?.toLowerCase(), rest: match?.[2] ?? raw };
}

function isSpecial(scheme: string): boolean {
  return ["http", "https", "ws", "wss"].includes(scheme);
}

function canonicalHost(hostname: string): string {
  const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(hostname);
  if (mapped === null) return hostname.replace(/(?<!\.)\.+$/, "");
  const [high = 0, low = 0] = mapped.slice(1).map((group) => parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

function pathSegments(pathname: string): string[] {
  const segments = pathname.split("/").slice(1);
  while (segments.at(-1) === "") segments.pop();
  return segments.map(decodeOnce);
}

/** Most layers of percent-encoding that are undone. */
const MAX_LAYERS = 8;

/** Undoes percent-encoding until nothing changes: `%252e` is `.` to a server that decodes twice. */
function decodeFully(segment: string): string | undefined {
  let text = segment;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const decoded = decodeOnce(text);
    if (decoded === text) return text;
    text = decoded;
  }
  return undefined;
}

function decodeOnce(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
}

/**
 * Whether some server could take a segment for the folder above: two dots, with whatever behind them
 * that is cut off by some, or written in more bytes than they need (`%c0%ae`).
 */
function climbs(segment: string): boolean {
  const text = decodeFully(segment)?.replaceAll("\u00c0\u00ae", ".");
  return text === undefined || text.split(/[/\\]/).some((part) => /^\.\.(?![\w.])/.test(part));
}

function refuse(raw: string, reason: string, hint?: string): never {
  throw new BowireError(
    "invalid_url",
    `cannot use the URL "${shown(raw)}": ${reason}`,
    hint === undefined ? {} : { hint },
  );
}

/** Redacted before it is cut: half a password is one, too. */
function shown(url: string): string {
  return redactUrl(url).slice(0, 200);
}
