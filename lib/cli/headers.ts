/**
 * `-H 'Name: value'` on the command line.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import type { VerbInput } from "./tool_command.ts";

/** The repeatable header option. */
export function headerOption(): Option {
  return new Option("-H, --header <name:value>", "send a header or metadata entry (repeatable)")
    .argParser(
      (text: string, known: Record<string, string> = {}) => {
        const colon = text.indexOf(":");
        if (colon < 1) throw new InvalidArgumentError('write it as "Name: value".');
        return { ...known, [text.slice(0, colon).trim()]: text.slice(colon + 1).trim() };
      },
    );
}

/** The headers that were given. */
export function collectHeaders({ options: { header } }: VerbInput): Record<string, string> {
  return header !== null && typeof header === "object" ? { ...header } : {};
}
