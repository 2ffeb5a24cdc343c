/**
 * Asks a target what it offers, over every protocol that may speak to it.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError, toErrorData } from "../errors/mod.ts";
import { redactUrl, type Target } from "../gate/mod.ts";
import type { Attempt, AttemptOutcome, Discovery, Service } from "../model/mod.ts";
import {
  type Dialer,
  type Discovered,
  type ProtocolManifest,
  type Registry,
  type Scope,
  untilAborted,
} from "../protocol/mod.ts";

const log = getLogger(["bowire", "call"]);

/** What to ask for. */
export interface DiscoverOptions {
  /** Id of the only protocol to try; all that claim the URL when left out. */
  readonly protocol?: string | undefined;
  /** Headers or the like for the requests that discovery makes. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** For all protocols together, in milliseconds. @default 20000 */
  readonly timeoutMs?: number | undefined;
  /** Also list services meant for machinery. @default false */
  readonly showInternal?: boolean | undefined;
  /** Let protocols that have schemas of methods leave out the fields of messages. @default false */
  readonly isBrief?: boolean | undefined;
}

export const DEFAULT_DISCOVERY_TIMEOUT_MS = 20_000;

/** What a discovery is made with. */
export interface DiscoveryRoom {
  readonly registry: Registry;
  readonly dialer: Dialer;
  readonly scope: Scope;
}

/**
 * Tries the protocols side by side under one time limit. One that fails never hides another.
 *
 * @throws {BowireError} `unknown_protocol` when no protocol can be tried, `cancelled` when the
 * caller gave up, `permission_denied` when nothing was found because Deno lets nobody reach it.
 */
export async function discover(
  room: DiscoveryRoom,
  target: Target,
  options: DiscoverOptions = {},
): Promise<Discovery> {
  const candidates = options.protocol === undefined
    ? room.registry.claimants(target)
    : [room.registry.find(options.protocol)];
  if (candidates.length === 0) {
    throw new BowireError(
      "unknown_protocol",
      `cannot discover "${redactUrl(target.url)}": no protocol on board speaks ${target.scheme}://`,
      {
        hint: `known are: ${room.registry.manifests.map(({ id }) => id).join(", ")}`,
      },
    );
  }
  const { scope } = room;
  const tries = await Promise.all(
    candidates.map((manifest) => tryProtocol(room, target, { manifest, options })),
  );
  if (scope.signal.aborted) {
    throw new BowireError("cancelled", `discovery of "${redactUrl(target.url)}" was cancelled`);
  }
  const denial = tries.map(({ error }) => error).find((error) =>
    error?.code === "permission_denied"
  );
  if (denial !== undefined && tries.every(({ services }) => services.length === 0)) throw denial;
  return {
    url: target.url,
    services: tries.flatMap(({ manifest, services }) =>
      services.map((service) => ({ originUrl: target.url, ...service, source: manifest.id }))
    ),
    attempts: tries.map(({ attempt }) => attempt),
  };
}

/** Tries one protocol. Never throws. */
export async function tryProtocol(
  { dialer, scope }: DiscoveryRoom,
  target: Target,
  { manifest, options }: { manifest: ProtocolManifest; options: DiscoverOptions },
): Promise<Try> {
  const start = performance.now();
  const { metadata = {}, showInternal = false, isBrief = false } = options;
  const request = { target, metadata, showInternal, isBrief };
  const outcome = await attempt(() => dialer.discover(manifest, request, scope), scope.limit);
  return describe(manifest, outcome, performance.now() - start);
}

type Outcome = Discovered | { readonly thrown: unknown } | "timeout";

async function attempt(run: () => Promise<Discovered>, signal: AbortSignal): Promise<Outcome> {
  try {
    return await untilAborted(run, signal);
  } catch (thrown) {
    if (signal.aborted) return "timeout";
    if (!(thrown instanceof BowireError)) log.error("discovery broke: {thrown}", { thrown });
    return { thrown };
  }
}

/** One protocol's try. */
export interface Try {
  readonly manifest: ProtocolManifest;
  readonly services: readonly Service[];
  readonly attempt: Attempt;
  /** What it threw, when it was no defect. */
  readonly error: BowireError | undefined;
}

function errorIn(outcome: Outcome): BowireError | undefined {
  if (outcome === "timeout" || !("thrown" in outcome)) return undefined;
  return outcome.thrown instanceof BowireError ? outcome.thrown : undefined;
}

function describe(
  manifest: ProtocolManifest,
  outcome: Outcome,
  elapsedMs: number,
): Try {
  const services = typeof outcome === "object" && "services" in outcome ? outcome.services : [];
  const [result, message, details] = judge(outcome);
  return {
    manifest,
    services,
    error: errorIn(outcome),
    attempt: {
      pluginId: manifest.id,
      plugin: manifest.name,
      outcome: result,
      servicesFound: services.length,
      durationMs: Math.round(elapsedMs),
      message,
      details,
    },
  };
}

function judge(outcome: Outcome): [AttemptOutcome, string, readonly string[] | null] {
  if (outcome === "timeout") return ["timeout", "gave no answer in time", null];
  if ("thrown" in outcome) {
    const { message, hint } = toErrorData(outcome.thrown);
    return ["error", message, hint === undefined ? null : [hint]];
  }
  const count = outcome.services.length;
  const faults = outcome.diagnostics.filter(({ severity }) => severity === "fault");
  const remarks = faults.length > 0 ? faults : outcome.diagnostics;
  const said = remarks.map(({ message }) => message).join("; ");
  const details = remarks.flatMap(({ details = [] }) => details);
  const found = count === 1 ? "1 service" : `${count} services`;
  const listed = details.length === 0 ? null : details;
  if (faults.length > 0) {
    return count > 0 ? ["partial", `${found}, but ${said}`, listed] : ["error", said, listed];
  }
  if (count === 0) return ["empty", said === "" ? "returned no services" : said, listed];
  return ["ok", said === "" ? found : `${found} (${said})`, listed];
}
