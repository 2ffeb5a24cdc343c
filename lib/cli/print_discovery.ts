/**
 * Services, methods and fields for people.
 *
 * @module
 */
import { z } from "zod";
import type { discoverTool } from "../server/mod.ts";
import { printTable } from "./table.ts";
import { safe, type Terminal } from "./terminal.ts";

type Discovery = ReturnType<typeof discoverTool.read>;
type Service = Discovery["services"][number];
type Method = Service["methods"][number];

/** Prints a service and its methods, one a line. */
export function printService(
  terminal: Terminal,
  { service, protocol, version, methodCount, methods }: Service,
): void {
  const count = methodCount === 1 ? "1 method" : `${methodCount} methods`;
  terminal.print(
    `${terminal.paint(safe(service), "strong")}  ${protocol}${
      version === undefined ? "" : ` ${safe(version)}`
    }, ${count}`,
  );
  printTable(
    terminal,
    methods.map((method) => [method.name, wireOf(method), textOf(method)]),
    "  ",
  );
}

function wireOf({ httpMethod, httpPath, type }: Method): string {
  return httpMethod === undefined ? type : `${httpMethod} ${httpPath ?? ""}`;
}

function textOf({ summary, description, deprecated }: Method): string {
  return (deprecated === true ? "(deprecated) " : "") +
    (summary ?? description?.split("\n")[0] ?? "");
}

/** Prints a method with the fields it takes and returns. */
export function printMethod(terminal: Terminal, service: string, method: Method): void {
  terminal.print(
    `${terminal.paint(safe(`${service}/${method.name}`), "strong")}  ${safe(wireOf(method))}`,
  );
  const text = textOf(method);
  if (text !== "") terminal.print(`  ${safe(text)}`);
  if (method.input !== undefined) {
    terminal.print("  takes:");
    printTable(terminal, rowsOf(method.input, 0), "    ");
  }
  if (method.output !== undefined) {
    terminal.print("  returns:");
    printTable(terminal, rowsOf(method.output, 0), "    ");
  }
}

const fieldShape = z.looseObject({
  name: z.string(),
  type: z.string(),
  required: z.boolean().optional(),
  isRepeated: z.boolean().optional(),
  source: z.string().optional(),
  description: z.string().optional(),
  enumValues: z.array(z.looseObject({ name: z.string() })).optional(),
  messageType: z.looseObject({ fields: z.array(z.unknown()) }).optional(),
});

/** One row a field; nested fields follow, set in by two spaces. */
function rowsOf(message: { fields: readonly unknown[] }, depth: number): string[][] {
  return message.fields.flatMap((given) => {
    const { name, type, required, isRepeated, source, description, enumValues, messageType } =
      fieldShape.parse(given);
    const values = enumValues === undefined
      ? ""
      : ` (${enumValues.map((value) => value.name).join("|")})`;
    const row = [
      "  ".repeat(depth) + name + (required === true ? "*" : ""),
      type + (isRepeated === true ? "[]" : "") + values,
      source ?? "",
      description ?? "",
    ];
    return [row, ...(messageType === undefined ? [] : rowsOf(messageType, depth + 1))];
  });
}
