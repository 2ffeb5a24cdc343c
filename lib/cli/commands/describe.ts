/**
 * `bowire describe`: methods as fields, as JSON Schema, or in their protocol's own schema language.
 *
 * @module
 */
import { type Command, Option } from "commander";
import { BowireError } from "../../errors/mod.ts";
import { discoverTool } from "../../server/mod.ts";
import { headerOption } from "../options.ts";
import { printMethod } from "../print_discovery.ts";
import type { Session } from "../session.ts";
import { safe, type Terminal } from "../terminal.ts";
import { addVerb } from "../tool_command.ts";
import { baseInput, splitName } from "./discover.ts";

type Service = ReturnType<typeof discoverTool.read>["services"][number];
type Method = Service["methods"][number];

/** How methods are to be written. */
interface WrittenAs {
  /** `schema`, or the name of a schema language. */
  readonly form: string;
  /** Whether one method was named, and not all of a service. */
  readonly isOne: boolean;
  readonly isCompact: boolean;
}

/** Adds the command. */
export function addDescribeCommand(program: Command, session: Session): void {
  addVerb(program, discoverTool, session, {
    usage: "describe <name>",
    summary:
      "Show the fields of a service's methods (SERVICE), or of one with arguments to start from (SERVICE/METHOD).",
    without: ["service", "method", "maxChars", "definition"],
    extra: [
      headerOption(),
      new Option(
        "--as <form>",
        "fields, schema (JSON Schema), or the name of the API's own schema language",
      ).default("fields"),
    ],
    examples: [
      "bowire describe Pets/listPets --url http://localhost:8080",
      "bowire describe Pets/listPets --as schema --url http://localhost:8080",
    ],
    toInput: (input) => ({
      ...baseInput(input),
      ...splitName(input.positional[0] ?? ""),
      definition: input.options.as !== "fields",
    }),
    show({ services, note }, { terminal }, { positional: [name = ""], options: { as, compact } }) {
      if (as !== "fields") {
        const isOne = splitName(name).method !== undefined;
        printAs(terminal, services, { form: String(as), isOne, isCompact: compact === true });
      } else {
        for (const { service, methods } of services) {
          for (const method of methods) printMethod(terminal, service, method);
        }
      }
      if (note !== undefined) terminal.warn(note);
    },
  });
}

/**
 * Prints methods in another form than their fields.
 *
 * @throws {BowireError} `usage` when there is no such form of them, with those that there are.
 */
function printAs(
  terminal: Terminal,
  services: readonly Service[],
  { form, isOne, isCompact }: WrittenAs,
): void {
  const methods = services.flatMap(({ service, methods }) =>
    methods.map((method) => ({ ...method, path: `${service}/${method.name}` }))
  );
  const schemas = methods.filter(({ inputSchema }) => inputSchema !== undefined);
  if (form === "schema" && schemas.length > 0) {
    const [first] = schemas;
    const whole = isOne && first !== undefined && schemas.length === 1
      ? schemasOf(first)
      : Object.fromEntries(schemas.map((method) => [method.path, schemasOf(method)]));
    return terminal.print(safe(JSON.stringify(whole, null, isCompact ? undefined : 2)));
  }
  const definitions = methods.flatMap(({ definition }) => definition ?? []);
  const texts = definitions.filter(({ language }) => language === form).map(({ text }) => text);
  if (texts.length === 0) {
    const languages = new Set(definitions.map(({ language }) => language));
    const known = ["fields", ...schemas.length === 0 ? [] : ["schema"], ...languages];
    throw new BowireError("usage", `cannot describe it as "${form}": there is no such form of it`, {
      hint: `there are: ${known.join(", ")}`,
    });
  }
  const text = [...new Set(texts)].join("\n");
  terminal.print(terminal.isInteractive ? safe(text) : text);
}

function schemasOf({ inputSchema, outputSchema }: Method) {
  return { input: inputSchema, output: outputSchema };
}
