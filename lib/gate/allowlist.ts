/**
 * Fence 1: which URLs may be dialled. Deny by default.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Address, isWithin, originOf, parseAddress } from "./address.ts";
import { parseIp } from "./ip.ts";
import { checkReach } from "./reach.ts";
import { redactUrl } from "./redact.ts";

/** Who put an entry on the list. */
export type EntrySource = "option" | "flag" | "environment" | "typed" | "permit" | "command line";

/** One entry of the list. */
export interface AllowlistEntry {
  /** Canonical URL without hint, query and fragment. */
  readonly url: string;
  readonly source: EntrySource;
}

/** A seed that could not become an entry. */
export interface IgnoredSeed {
  readonly value: string;
  readonly source: EntrySource;
  readonly reason: string;
}

let mint: (address: Address) => Target;

/**
 * A URL that the allowlist has admitted. Protocols take a Target, never a string, and only
 * {@linkcode Allowlist.admit} makes one: what was not asked cannot be dialled.
 */
export class Target {
  static {
    mint = (address) => new Target(address);
  }
  readonly #address: Address;

  private constructor(address: Address) {
    this.#address = address;
  }

  /** Canonical URL, without the hint. */
  get url(): string {
    return this.#address.url;
  }

  /** The protocol named in front of the URL (`rest@…`), or `undefined`. */
  get hint(): string | undefined {
    return this.#address.hint;
  }

  /** Lower case, without the colon. */
  get scheme(): string {
    return this.#address.scheme;
  }

  get host(): string {
    return this.#address.host;
  }

  /** Never left out; 0 when the scheme has no default and none was given. */
  get port(): number {
    return this.#address.port;
  }

  /** `scheme://host:port`, the port always written. */
  get origin(): string {
    return originOf(this.#address);
  }
}

/** The list of URLs that may be dialled, each with everything below its path. */
export class Allowlist {
  readonly #entries = new Map<string, { entry: AllowlistEntry; address: Address }>();
  readonly #ignored: IgnoredSeed[] = [];
  /** True when every URL is admitted (`--allow-arbitrary-urls`). */
  readonly allowsArbitraryUrls: boolean;

  constructor(options: { allowArbitraryUrls?: boolean } = {}) {
    this.allowsArbitraryUrls = options.allowArbitraryUrls ?? false;
  }

  /** The entries in the order they came. */
  get entries(): readonly AllowlistEntry[] {
    return [...this.#entries.values()].map(({ entry }) => entry);
  }

  /** How many entries there are; none is ever taken away. */
  get size(): number {
    return this.#entries.size;
  }

  /** Seeds that were passed over, with the reason. */
  get ignored(): readonly IgnoredSeed[] {
    return this.#ignored;
  }

  /**
   * Adds a URL and all below its path; query and fragment do not count.
   *
   * @returns the entry, and whether it is new.
   * @throws {BowireError} `invalid_url` when it cannot be parsed.
   */
  permit(raw: string, source: EntrySource): { entry: AllowlistEntry; added: boolean } {
    const address = parseAddress(raw);
    const url = address.url.replace(/[?#].*$/s, "");
    const known = this.#entries.get(url);
    if (known !== undefined) return { entry: known.entry, added: false };
    const entry = { url, source };
    this.#entries.set(url, { entry, address });
    return { entry, added: true };
  }

  /** Adds many; those that cannot be parsed are noted in {@linkcode ignored} instead of thrown. */
  seed(values: Iterable<string>, source: EntrySource): void {
    for (const value of values) {
      try {
        this.permit(value, source);
      } catch (error) {
        if (!(error instanceof BowireError)) throw error;
        this.ignore({ value: redactUrl(value), source, reason: error.message });
      }
    }
  }

  /** Notes a seed that was passed over. */
  ignore(seed: IgnoredSeed): void {
    this.#ignored.push(seed);
  }

  /**
   * Turns a URL into a Target if the list has it. When every URL is admitted, a literal address in
   * it is still judged as {@linkcode checkAddress} does.
   *
   * @param raw the URL, with or without a `hint@`.
   * @param via what supplied the URL when it was not the caller, for instance `"redirect hop 2"`.
   * @throws {BowireError} `invalid_url` or `url_not_allowed`.
   */
  admit(raw: string, via?: string): Target {
    const address = parseAddress(raw);
    if (this.allowsArbitraryUrls) {
      const target = mint(address);
      if (parseIp(address.host) !== undefined) this.checkAddress(target, address.host);
      return target;
    }
    for (const { address: entry } of this.#entries.values()) {
      if (isWithin(address, entry)) return mint(address);
    }
    throw new BowireError(
      "url_not_allowed",
      `cannot reach "${redactUrl(address.url)}"${via === undefined ? "" : ` (${via})`}: ` +
        "the URL is not on the allowlist",
      {
        hint: "ask the user, then add it: bowire.allowlist.permit, or start with " +
          `--allow-url ${originOf(address)}; bowire.allowlist.show lists what is allowed`,
        details: { url: redactUrl(address.url), ...(via === undefined ? {} : { via }) },
      },
    );
  }

  /** Whether some URL of a host may be reached. */
  names(host: string): boolean {
    return this.allowsArbitraryUrls || this.#hosts.includes(host);
  }

  /**
   * Judges the IP address that a target leads to. A public one may always be dialled; a private or
   * loopback one when an entry names the target's host or the address, or when every URL is
   * admitted and the target's host is that address or a name of this machine; any other only when
   * an entry names the address.
   *
   * @param address as a resolver or a socket gives it.
   * @throws {BowireError} `url_not_allowed`.
   */
  checkAddress(target: Target, address: string): void {
    const { allowsArbitraryUrls } = this;
    checkReach(target, address, { hosts: this.#hosts, allowsArbitraryUrls });
  }

  get #hosts(): string[] {
    return [...this.#entries.values()].map(({ address }) => address.host);
  }
}
