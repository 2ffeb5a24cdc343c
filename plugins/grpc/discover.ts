/**
 * Discovery: the services of a server.
 *
 * @module
 */
import { BowireError } from "../../lib/errors/mod.ts";
import type { Service } from "../../lib/model/mod.ts";
import type {
  CallContext,
  Diagnostic,
  Discovered,
  DiscoverRequest,
} from "../../lib/protocol/mod.ts";
import { describeServices, isInternal } from "./describe/services.ts";
import type { Parts } from "./parts.ts";
import { NoReflection } from "./reflection/reflection.ts";
import type { Library } from "./schema/library.ts";
import { refusalOf, sentenceOf } from "./source/no_reflection.ts";
import { readEndpoint } from "./wire/endpoint.ts";
import { isNotHttp2 } from "./wire/http2/connection.ts";

/** Most faults that are told. */
const MAX_FAULTS = 100;

/** Lists the services of a target, none when it does not speak gRPC or does not describe itself. */
export async function discover(
  { sources }: Parts,
  request: DiscoverRequest,
  context: CallContext,
): Promise<Discovered> {
  const endpoint = readEndpoint(request.target, request.metadata, context);
  const files = await sources.fromFiles(context);
  if (files !== undefined) {
    const library = files.library();
    return { services: describeServices(library, request), diagnostics: remarksOn(library, []) };
  }
  const types = sources.reflected(endpoint, true);
  try {
    const listed = (await types.services(context))
      .filter((name) => request.showInternal || !isInternal(name));
    const missing = await types.load(listed, context);
    const library = types.library();
    const described = new Map(
      describeServices(library, { showInternal: true }).map((service) => [service.name, service]),
    );
    const services = listed.map((name) =>
      described.get(name) ?? undescribed(name, missing.get(name))
    );
    const undone = services.filter(({ name }) => !described.has(name));
    return { services, diagnostics: remarksOn(library, undone) };
  } catch (error) {
    if (error instanceof NoReflection && refusalOf(error) !== "refused") return nothing(error);
    if (error instanceof NoReflection) {
      const { message, hint } = sentenceOf(error);
      throw new BowireError("not_discovered", message, { hint });
    }
    if (isNotHttp2(error) && request.target.hint === undefined) {
      const message = "it does not speak HTTP/2, which gRPC is made of";
      return { services: [], diagnostics: [{ severity: "note", message }] };
    }
    throw error;
  }
}

function nothing(reason: NoReflection): Discovered {
  const { message, hint } = sentenceOf(reason);
  return { services: [], diagnostics: [{ severity: "note", message: `${message}: ${hint}` }] };
}

/** A service that the server names but does not describe. */
function undescribed(name: string, reason = "its description does not hold it"): Service {
  return {
    name,
    package: name.includes(".") ? name.slice(0, name.lastIndexOf(".")) : "",
    methods: [],
    source: "grpc",
    description: `The methods are not known: ${reason}`,
  };
}

function remarksOn({ faults }: Library, undone: readonly Service[]): Diagnostic[] {
  const details = [
    ...undone.map(({ name, description = "" }) => `${name}: ${description}`),
    ...faults,
  ];
  if (details.length === 0) return [];
  const [first] = details;
  const message = details.length === 1 && first !== undefined
    ? first
    : `${details.length} parts of the description are missing or broken`;
  return [{ severity: "fault", message, details: details.slice(0, MAX_FAULTS) }];
}
