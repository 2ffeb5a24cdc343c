/**
 * Services, methods and fields for people.
 *
 * @module
 */
import * as z from "zod";
import { cleanText } from "../schema/mod.ts";
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

function textOf({ title, summary, description, deprecated }: Method): string {
  return (deprecated === true ? "(deprecated) " : "") +
    (summary ?? description?.split("\n")[0] ?? title ?? "");
}

/** What its author says that a call does. */
function effectsOf({ hints = {} }: Method): string {
  const { readOnly, destructive, idempotent } = hints;
  return [
    readOnly === true && "changes nothing",
    destructive === true && readOnly !== true && "may delete or overwrite",
    idempotent === true && readOnly !== true && "may be repeated",
  ].filter((effect) => effect !== false).join(", ");
}

/** Prints a method with the fields it takes and returns. */
export function printMethod(terminal: Terminal, service: string, method: Method): void {
  terminal.print(
    `${terminal.paint(safe(`${service}/${method.name}`), "strong")}  ${safe(wireOf(method))}`,
  );
  const effects = effectsOf(method);
  const texts = [method.title, textOf(method), effects && `by its author's word: ${effects}`];
  for (const text of new Set(texts)) {
    if (text !== undefined && text !== "") terminal.print(`  ${safe(text)}`);
  }
  if (method.security !== undefined) {
    terminal.print(`  asks for: ${safe(method.security.join(", or "))}`);
  }
  if (method.input !== undefined) {
    terminal.print("  takes:");
    printTable(terminal, rowsOf(method.input, 0), "    ");
  }
  if (method.output !== undefined && method.output.fields.length > 0) {
    terminal.print("  returns:");
    printTable(terminal, rowsOf(method.output, 0), "    ");
  }
  if (method.sample !== undefined) {
    terminal.print("  for instance:");
    const lines = JSON.stringify(method.sample, null, 2).split("\n");
    for (const line of lines) terminal.print(`    ${safe(line)}`);
  }
}

const messageShape = z.looseObject({
  fields: z.array(z.unknown()),
  oneOf: z.array(z.looseObject({ name: z.string(), required: z.array(z.string()) })).optional(),
});
type Message = z.output<typeof messageShape>;

const fieldShape = z.looseObject({
  name: z.string(),
  type: z.string(),
  required: z.boolean().optional(),
  isRepeated: z.boolean().optional(),
  isMap: z.boolean().optional(),
  format: z.string().optional(),
  source: z.string().optional(),
  description: z.string().optional(),
  union: z.array(z.string()).optional(),
  enumValues: z.array(z.looseObject({ name: z.string() })).optional(),
  messageType: messageShape.optional(),
});
type Field = z.output<typeof fieldShape>;

/** One row a field; nested fields follow, set in by two spaces, and then the forms it may take. */
function rowsOf(given: unknown, depth: number): string[][] {
  const { fields, oneOf } = messageShape.parse(given);
  const indent = "  ".repeat(depth);
  const rows = fields.flatMap((item) => {
    const field = fieldShape.parse(item);
    const { name, required, source, description, messageType } = field;
    const row = [
      indent + name + (required === true ? "*" : ""),
      typeOf(field),
      source ?? "",
      description ?? "",
    ];
    return [row, ...(messageType === undefined ? [] : rowsOf(messageType, depth + 1))];
  });
  return oneOf === undefined ? rows : [...rows, [`${indent}one of`, "", "", formsOf(oneOf)]];
}

function formsOf(forms: NonNullable<Message["oneOf"]>): string {
  const named = forms.map(({ name, required }) =>
    required.length === 0 ? name : `${name} (${required.join(", ")})`
  );
  return named.join(" | ");
}

/** Widest list of values beside a type. */
const MAX_VALUES_LENGTH = 60;

function typeOf({ type, union, format, isMap, isRepeated, enumValues }: Field): string {
  const base = union === undefined ? type : union.join("|");
  const detail = enumValues === undefined
    ? format
    : cleanText(enumValues.map((value) => value.name).join("|"), MAX_VALUES_LENGTH);
  const whole = base + (detail === undefined || detail === type ? "" : ` (${detail})`);
  return isMap === true ? `map of ${whole}` : whole + (isRepeated === true ? "[]" : "");
}
