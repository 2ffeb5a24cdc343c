/**
 * What a server offers as services and methods.
 *
 * @module
 */
import type { Method, Service } from "../../../lib/model/mod.ts";
import { type McpMethod, methodsOf, SERVICES } from "./methods.ts";
import { argumentsMessage, messageOf } from "./schemas.ts";
import type { Surface } from "./surface.ts";

/** Describes all services that have methods. */
export function describeServices(surface: Surface, originUrl: string): Service[] {
  return SERVICES.flatMap((name): Service[] => {
    const methods = methodsOf(surface, name).map((method) => describe(name, method));
    if (methods.length === 0) return [];
    return [{ name, package: "mcp", methods, source: "mcp", originUrl }];
  });
}

function describe(service: string, method: McpMethod): Method {
  const { item: { name, title, description }, summary, hints, input, output, resultName } = method;
  return {
    name,
    fullName: `${service}/${name}`,
    methodType: "Unary",
    clientStreaming: false,
    serverStreaming: false,
    inputType: argumentsMessage(`${name}Request`, input),
    outputType: messageOf(resultName, output),
    ...(title === undefined ? {} : { title }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(hints === undefined ? {} : { hints }),
    deprecated: false,
  };
}
