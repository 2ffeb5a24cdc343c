/**
 * The schemas of the methods that somebody asked for by name.
 *
 * @module
 */
import type { Host } from "../host/mod.ts";
import { parseJson } from "../schema/mod.ts";
import { DEFAULT_MAX_CHARS, type DiscoveryView } from "./discovery_view.ts";

/** Most methods of one name whose schemas are read. */
const MAX_METHODS = 10;
/** The same where definitions are asked for, which may be those of whole services. */
const MAX_DEFINED = 1000;

/** How schemas are asked for. */
export interface SchemaOptions {
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly maxChars?: number | undefined;
  /** Whether the method in its protocol's own language is wanted too. @default false */
  readonly definition?: boolean | undefined;
  readonly signal: AbortSignal;
}

/**
 * Adds schemas and sample arguments to the methods of a view, as far as their protocols have them
 * and they fit into what the view has left.
 */
export async function addSchemas(
  host: Host,
  view: DiscoveryView,
  options: SchemaOptions,
): Promise<DiscoveryView> {
  let room = (options.maxChars ?? DEFAULT_MAX_CHARS) - JSON.stringify(view.services).length;
  const maxMethods = options.definition === true ? MAX_DEFINED : MAX_METHODS;
  let count = 0;
  let isCut = false;
  const services = [];
  for (const { methods, ...service } of view.services) {
    const described = [];
    for (const method of methods) {
      const schemas = count++ < maxMethods
        ? await schemasOf(host, { ...options, url: view.url, service, method: method.name })
        : [];
      const fitting = schemas.filter(([, text]) => (room -= text.length) >= 0);
      isCut ||= fitting.length < schemas.length;
      described.push({
        ...method,
        ...Object.fromEntries(fitting.map(([name, text]) => [name, parseJson(text)])),
      });
    }
    services.push({ ...service, methods: described });
  }
  if (!isCut) return { ...view, services };
  return { ...view, services, truncated: true, note: "Schemas are left out: raise maxChars." };
}

/** JSON texts by member name, what matters most first. */
async function schemasOf(
  host: Host,
  { url, service, method, metadata, definition, signal }: SchemaOptions & {
    url: string;
    service: { service: string; protocol: string };
    method: string;
  },
): Promise<(readonly [name: string, text: string])[]> {
  const schema = await host.caller.describe({
    url,
    service: service.service,
    method,
    protocol: service.protocol,
    metadata,
  }, signal);
  const texts = [
    ["definition", definition === true ? JSON.stringify(schema?.definition) : undefined],
    ["sample", schema?.sample],
    ["inputSchema", schema?.input],
    ["outputSchema", schema?.output],
  ] as const;
  return texts.flatMap(([name, text]) => text === undefined ? [] : [[name, text] as const]);
}
