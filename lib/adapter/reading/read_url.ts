/**
 * What one URL offers: its services, and the methods of them that can be tools.
 *
 * @module
 */
import { getLogger } from "@logtape/logtape";
import { BowireError } from "../../errors/mod.ts";
import { redactUrl } from "../../gate/mod.ts";
import type { Host } from "../../host/mod.ts";
import type { Method, Service } from "../../model/mod.ts";
import type { Settings } from "../options.ts";
import type { FoundMethod } from "../tools/tool.ts";

const log = getLogger(["bowire", "adapter"]);

/** Methods that are no tools, counted. */
export interface LeftOut {
  /** Those that stream. */
  readonly streaming: number;
  /** Those that the target calls itself. */
  readonly incoming: number;
  /** Those that the operator does not want. */
  readonly filtered: number;
}

/** What was found at a URL. */
export interface Reading {
  /** As it was given. */
  readonly url: string;
  /** Without the methods that the operator does not want. */
  readonly services: readonly Service[];
  readonly methods: readonly FoundMethod[];
  readonly leftOut: LeftOut;
}

/** What reading takes. */
export interface Reader {
  readonly host: Host;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/**
 * Discovers a URL and asks for the schemas of its methods.
 *
 * @throws {BowireError} as a discovery does; `not_discovered` when there is nothing, with the
 * reasons.
 */
export async function readUrl(reader: Reader, url: string): Promise<Reading> {
  const { settings } = reader;
  const services = await servicesAt(reader, { url, isBrief: true }); // the schemas have it all
  const wanted = wantedOf(services, settings);
  const left = { streaming: 0, incoming: 0, filtered: 0 };
  const count = (list: readonly Service[]) => list.flatMap(({ methods }) => methods).length;
  left.filtered = count(services) - count(wanted);
  const callable = wanted.map((service) => ({
    service,
    methods: service.methods.filter((method) => {
      const kind = kindOf(method);
      if (kind !== "callable") left[kind]++;
      return kind === "callable";
    }),
  }));
  const methods = await describe(reader, url, callable);
  return {
    url,
    services: wanted.filter(({ methods }) => methods.length > 0),
    methods,
    leftOut: left,
  };
}

/**
 * Discovers a URL again, for the fields of messages.
 *
 * @returns its services, without the methods that the operator does not want.
 * @throws {BowireError} as {@linkcode readUrl} does.
 */
export async function readWhole(reader: Reader, url: string): Promise<readonly Service[]> {
  const services = await servicesAt(reader, { url, isBrief: false });
  return wantedOf(services, reader.settings).filter(({ methods }) => methods.length > 0);
}

async function servicesAt(
  { host, settings, signal }: Reader,
  { url, isBrief }: { url: string; isBrief: boolean },
): Promise<readonly Service[]> {
  const { services, attempts } = await host.caller.discover(url, {
    protocol: settings.protocol,
    metadata: settings.metadataFor(url),
    timeoutMs: settings.discoveryTimeoutMs,
    isBrief,
    signal,
  });
  if (services.length === 0) {
    const tried = attempts.map((attempt) => `${attempt.plugin}: ${attempt.message}`).join("; ");
    throw new BowireError("not_discovered", `found no API at "${redactUrl(url)}" (${tried})`, {
      hint: "give the URL of the description document itself",
      details: { attempts },
      retryable: attempts.some(({ outcome }) => outcome === "timeout"),
    });
  }
  for (const { plugin, outcome, message } of attempts) {
    if (outcome === "partial") {
      log.warn("{url}, {plugin}: {message}", { url: redactUrl(url), plugin, message });
    }
  }
  return services;
}

function wantedOf(services: readonly Service[], { isMeant }: Settings): Service[] {
  return services.map((service) => ({
    ...service,
    methods: service.methods.filter((method) => isMeant(service, method)),
  }));
}

function kindOf({ methodType, isIncoming }: Method): "callable" | "streaming" | "incoming" {
  if (isIncoming === true) return "incoming";
  return methodType === "Unary" ? "callable" : "streaming";
}

/** Adds their schemas to methods, those of one protocol at once. */
async function describe(
  { host, settings, signal }: Reader,
  url: string,
  callable: readonly { readonly service: Service; readonly methods: readonly Method[] }[],
): Promise<FoundMethod[]> {
  const groups = Map.groupBy(callable, ({ service }) => service.source);
  const found = await Promise.all([...groups].map(async ([protocol, group]) => {
    const protocolName = host.registry.find(protocol).name;
    const methods = group.flatMap(({ service, methods }) =>
      methods.map((method) => ({ url, protocol, protocolName, service, method }))
    );
    if (methods.length === 0) return [];
    const schemas = await host.caller.describeAll({
      url,
      protocol,
      methods: methods.map(({ service, method }) => ({
        service: service.name,
        method: method.name,
      })),
      parts: settings.outputSchemas ? ["output"] : [],
      metadata: settings.metadataFor(url),
      timeoutMs: settings.discoveryTimeoutMs,
    }, signal);
    return methods.map((method, index): FoundMethod => ({ ...method, schema: schemas[index] }));
  }));
  return found.flat();
}
