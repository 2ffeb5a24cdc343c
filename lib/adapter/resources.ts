/**
 * The services of the APIs as resources, in the shape of the .NET Bowire.
 *
 * @module
 */
import { redactUrl } from "../gate/mod.ts";
import type { ResourceContents, ResourceDescription } from "../mcp/mod.ts";
import type { Message, Service } from "../model/mod.ts";
import { cleanLine } from "../schema/clean_text.ts";
import type { Surface } from "./tools/surface.ts";

/** A service that was found, and where it can be read. */
export interface ServiceEntry {
  readonly uri: string;
  /** The protocol's name for people. */
  readonly plugin: string;
  readonly service: Service;
  /** The URL that it was found at, as it was given. */
  readonly url: string;
}

const MAX_NAME = 200;

/** The services of a surface. Those of one name and protocol have their URLs beside them. */
export function servicesOf(
  { readings }: Surface,
  nameOf: (protocol: string) => string,
): ServiceEntry[] {
  const entries = readings.flatMap(({ url, services }) =>
    services.map((service) => ({
      uri: `bowire-service://${service.source}/${encodeURIComponent(service.name)}`,
      plugin: nameOf(service.source),
      service,
      url,
    }))
  );
  return [...Map.groupBy(entries, ({ uri }) => uri).values()]
    .flatMap((sharing) => sharing.length < 2 ? sharing : withUrls(sharing))
    .sort((a, b) => a.uri < b.uri ? -1 : 1);
}

/** URLs that differ in a secret alone, which is not shown, are numbered. */
function withUrls(sharing: readonly ServiceEntry[]): ServiceEntry[] {
  return [...Map.groupBy(sharing, ({ url }) => redactUrl(url))].flatMap(([url, alike]) =>
    alike.map((entry, index) => {
      const number = index === 0 ? "" : `&number=${index + 1}`;
      return { ...entry, uri: `${entry.uri}?url=${encodeURIComponent(url)}${number}` };
    })
  );
}

/** A service as it is listed. */
export function describeService({ uri, plugin, service }: ServiceEntry): ResourceDescription {
  const count = service.methods.length;
  return {
    uri,
    name: cleanLine(service.name, MAX_NAME),
    description: `${plugin} service schema, ${count} ${count === 1 ? "method" : "methods"}`,
    mimeType: "application/json",
  };
}

/** What a service consists of. */
export function readService(entry: ServiceEntry): ResourceContents {
  return { uri: entry.uri, mimeType: "application/json", text: JSON.stringify(viewService(entry)) };
}

/** A service as data. The names within fields are those that the .NET Bowire writes. */
export function viewService({ service }: ServiceEntry): Record<string, unknown> {
  return {
    plugin: service.source,
    service: service.name,
    description: service.description ?? null,
    methods: service.methods.map(({ name, methodType, inputType, outputType }) => ({
      name,
      methodType,
      inputType: inputType.name,
      inputFields: fieldsOf(inputType),
      outputType: outputType.name,
      outputFields: fieldsOf(outputType),
    })),
  };
}

function fieldsOf({ fields }: Message): Record<string, unknown>[] {
  return fields.map(({ name, type, number, label, isRepeated, isMap }) => ({
    Name: name,
    Type: type,
    Number: number,
    Label: label,
    IsRepeated: isRepeated,
    IsMap: isMap,
  }));
}
