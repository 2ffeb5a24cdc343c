/**
 * `bowire discover` and `list`: two looks at one discovery.
 *
 * @module
 */
import type { Command } from "commander";
import { discoverTool } from "../../server/mod.ts";
import { collectHeaders, headerOption } from "../options.ts";
import type { Session } from "../session.ts";
import { printTable } from "../table.ts";
import { printService } from "../print_discovery.ts";
import { safe } from "../terminal.ts";
import { addVerb, type VerbInput } from "../tool_command.ts";

/** Adds the two commands. */
export function addDiscoverCommands(program: Command, session: Session): void {
  addVerb(program, discoverTool, session, {
    usage: "discover",
    summary: "List services and methods at a URL, and how each protocol fared.",
    without: ["maxChars", "definition"],
    extra: [headerOption()],
    examples: [
      "bowire discover --url http://localhost:8080",
      "bowire discover --url rest@https://api.example.com/openapi.json --json",
      "bowire discover --url localhost:50051 --plaintext -I protos --proto shop.proto",
    ],
    toInput: baseInput,
    show: showDiscovery,
  });

  addVerb(program, discoverTool, session, {
    usage: "list [service]",
    summary: "List the services at a URL, or the methods of one service, one name a line.",
    without: ["service", "method", "maxChars", "definition"],
    extra: [headerOption()],
    examples: [
      "bowire list --url http://localhost:8080",
      "bowire list Pets --url http://localhost:8080",
    ],
    toInput: (input) => ({ ...baseInput(input), ...serviceIn(input) }),
    show({ services }, { terminal }, { positional }) {
      const names = positional.length > 0
        ? services.flatMap(({ methods }) => methods.map(({ name }) => name))
        : services.map(({ service }) => service);
      for (const name of names) terminal.print(safe(name));
    },
  });
}

/** Shows what was found, and how each protocol fared. */
export function showDiscovery(
  { services, attempts, note }: ReturnType<typeof discoverTool.read>,
  { terminal }: Session,
): void {
  for (const service of services) printService(terminal, service);
  printTable(
    terminal,
    attempts.map((
      { plugin, outcome, message, durationMs },
    ) => [plugin, outcome, message, `${durationMs} ms`]),
  );
  if (note !== undefined) terminal.warn(note);
}

/** `service/method`; the method may hold slashes (`Pets/GET /pets/{id}`), the service may not. */
export function splitName(name: string): { service: string; method?: string } {
  const slash = name.indexOf("/");
  return slash === -1
    ? { service: name }
    : { service: name.slice(0, slash), method: name.slice(slash + 1) };
}

/** What all looks ask for: the headers that were given, and everything, for people can scroll. */
export function baseInput(input: VerbInput): Record<string, unknown> {
  return { metadata: collectHeaders(input), maxChars: Number.MAX_SAFE_INTEGER };
}

function serviceIn({ positional: [service] }: VerbInput): Record<string, unknown> {
  return service === undefined ? {} : { service };
}
