/**
 * Names of tools: readable, within the limits of clients, and the same whatever stands beside them.
 *
 * @module
 */
import { createHash } from "node:crypto";

/** What makes a method one and no other. */
export interface MethodIdentity {
  /** Id of the protocol. */
  readonly protocol: string;
  readonly service: string;
  /** Short name of the method. */
  readonly method: string;
  /** Name that is unambiguous within the target, as far as it is not cut off. */
  readonly fullName: string;
  /** Path of an HTTP method, which tells those apart whose full names are cut off alike. */
  readonly path?: string | undefined;
  /** Where it is; tells methods apart that are the same otherwise. */
  readonly url: string;
}

/** How names are given. */
export interface NameOptions {
  /** Longest name. */
  readonly limit: number;
  /** Names that are taken already. */
  readonly reserved?: readonly string[];
}

/**
 * Lengths of tails that are tried, shortest first. The last one is never reached: its hashes do
 * not meet.
 */
const TAIL_LENGTHS = [0, 8, 12, 16, 24, 40] as const;

/** Shortest limit that leaves room for a tail and for something to read before it. */
export const MIN_NAME_LIMIT = 24;

/**
 * A name of `[a-zA-Z0-9_-]` for each method, all different: `{service}_{method}`. A name that would
 * be too long, or that two methods would share, ends in a piece of a hash; both of the two have it,
 * so that no name depends on what comes first.
 *
 * @param methods each with an identity of its own.
 * @returns the names in the order of the methods.
 */
export function nameMethods(methods: readonly MethodIdentity[], options: NameOptions): string[] {
  const { limit, reserved = [] } = options;
  const entries = methods.map((method) => ({
    method,
    plain: plainName(method),
    steps: 0,
    name: "",
  }));
  const identify = identities(methods);
  const naming = (entry: typeof entries[number]) => {
    const { method, plain, steps } = entry;
    if (steps === 0) return plain;
    const tail = hashOf(identify(method)).slice(0, TAIL_LENGTHS[steps]);
    const room = Math.max(0, limit - tail.length - 1);
    return `${plain.slice(0, room).replace(/[_-]+$/, "")}_${tail}`.slice(-limit);
  };
  for (const entry of entries) if (entry.plain.length > limit) entry.steps = 1;
  for (let isSettled = false; !isSettled;) {
    for (const entry of entries) entry.name = naming(entry);
    const uses = countOf([...entries.map(({ name }) => name), ...reserved]);
    const clashing = entries.filter(({ name }) => (uses.get(name) ?? 0) > 1)
      .filter(({ steps }) => steps < TAIL_LENGTHS.length - 1);
    for (const entry of clashing) entry.steps++;
    isSettled = clashing.length === 0;
  }
  return entries.map(({ name }) => name);
}

/** The name without regard to its length and to others. */
function plainName({ service, method }: MethodIdentity): string {
  const head = service.replace(/\W+/g, "_").replace(/_$/, "");
  const tail = method.replace(/[^\w-]+/g, "_").replace(/_$/, "");
  return [head, tail].filter((part) => part !== "").join("_") || "method";
}

/** The same for a method that is described twice, and for no other. */
export function keyOf(method: MethodIdentity): string {
  return [placelessKey(method), method.method, method.url].join("\n");
}

/**
 * What tells methods apart, each from all others. The path and the URL count only where they must:
 * a port that changes need not change a name.
 */
function identities(methods: readonly MethodIdentity[]): (method: MethodIdentity) => string {
  const wholeKey = (method: MethodIdentity) => `${placelessKey(method)}\n${method.path ?? ""}`;
  const keys = [
    placelessKey,
    wholeKey,
    (method: MethodIdentity) => `${wholeKey(method)}\n${method.url}`,
  ].map((keyOf) => ({ keyOf, uses: countOf(methods.map(keyOf)) }));
  return (method) => {
    const own = keys.find(({ keyOf, uses }) => uses.get(keyOf(method)) === 1);
    return own?.keyOf(method) ?? keyOf(method);
  };
}

function placelessKey({ protocol, service, fullName }: MethodIdentity): string {
  return [protocol, service, fullName].join("\n");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function countOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
