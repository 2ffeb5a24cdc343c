/**
 * Asks the allowlist about the addresses behind a target's name, before and after it is dialled.
 *
 * @module
 */
import { BowireError } from "../errors/mod.ts";
import { type Allowlist, parseIp, type Target } from "../gate/mod.ts";
import { untilAborted } from "./abandon.ts";
import { isDenied } from "./dial_errors.ts";
import { openSocket } from "./socket.ts";

/**
 * All addresses of a host; none when it has none, and `undefined` when this process may not ask.
 */
export type Lookup = (host: string) => Promise<readonly string[] | undefined>;

/** Asks the resolver of the system, as the dialling itself does. */
export async function lookupHost(host: string): Promise<readonly string[] | undefined> {
  // Loaded when it is needed: a target on this machine needs no resolver.
  const { lookup } = await import("node:dns/promises");
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return isDenied(error) ? undefined : [];
  }
}

/** How long a name that passed is not waited for again, in milliseconds. */
const PASS_TTL_MS = 10_000;
/** How long a connection is waited for that only tells where a name leads, in milliseconds. */
const PROBE_MS = 2000;
/** Most names that are remembered; the oldest gives way. */
const MAX_PASSES = 1000;

/** The names that passed a moment ago. Refusals are not kept: a new entry may lift them. */
export class Passes {
  readonly #expiries = new Map<string, number>();
  readonly #now: () => number;

  /** @param now the clock, in milliseconds. @default performance.now */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether `name` passed in the last ten seconds. */
  has(name: string): boolean {
    return (this.#expiries.get(name) ?? -Infinity) > this.#now();
  }

  /** Remembers that `name` passed just now. */
  add(name: string): void {
    this.#expiries.delete(name);
    const [oldest] = this.#expiries.keys();
    if (oldest !== undefined && this.#expiries.size >= MAX_PASSES) this.#expiries.delete(oldest);
    this.#expiries.set(name, this.#now() + PASS_TTL_MS);
  }
}

const passesByList = new WeakMap<Allowlist, Passes>();

function passesOf(allowlist: Allowlist): Passes {
  const passes = passesByList.get(allowlist) ?? new Passes();
  passesByList.set(allowlist, passes);
  return passes;
}

/** What a check of addresses draws on. */
export interface AddressCheck {
  readonly allowlist: Allowlist;
  readonly lookup: Lookup;
  /** Ends the wait for a resolver. */
  readonly signal: AbortSignal;
}

/**
 * Judges where a target leads before it is dialled.
 *
 * @returns the same check with fresh addresses, to be made when the target has answered: the name
 * may have been given another address in between.
 * @throws {BowireError} `url_not_allowed`.
 */
export async function checkAddresses(
  target: Target,
  check: AddressCheck,
): Promise<() => Promise<void>> {
  const passes = passesOf(check.allowlist);
  const name = `${target.host}:${target.port}`;
  // A literal address was judged when the URL was admitted.
  if (target.host === "localhost" || parseIp(target.host) !== undefined) return async () => {};
  if (passes.has(name)) {
    // Nobody waits for the resolver, but for what it says before the answer is handed out.
    const judging = judgeAddresses(target, check);
    judging.catch(() => {}); // heard below, unless the dialling fails first
    return async () => void await judging;
  }
  const judged = await judgeAddresses(target, check);
  const isReached = judged === undefined && await hasPassedProbe(target, check);
  return async () => {
    // What answers from where no connection leads is a proxy: there is no address to judge.
    const passed = judged === undefined
      ? !isReached || await hasPassedProbe(target, check)
      : await judgeAddresses(target, check);
    if (passed === true) passes.add(name);
  };
}

/**
 * Judges all addresses of the host. False when it has none, and the dialling will say why;
 * `undefined` when they may not be asked for.
 */
async function judgeAddresses(target: Target, check: AddressCheck): Promise<boolean | undefined> {
  const { allowlist, lookup, signal } = check;
  const addresses = await untilAborted(() => lookup(target.host), signal, 0);
  for (const address of addresses ?? []) allowlist.checkAddress(target, address);
  return addresses === undefined ? undefined : addresses.length > 0;
}

/** Where names may not be looked up, a connection tells where one leads. */
async function hasPassedProbe(
  target: Target,
  { allowlist, signal }: AddressCheck,
): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS)]);
    (await openSocket(allowlist, target, limit)).close();
    return true;
  } catch (error) {
    if (error instanceof BowireError || signal.aborted) throw error;
    return false; // behind a proxy, for instance
  }
}
