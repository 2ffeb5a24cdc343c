/**
 * `bowire describe --as`: methods as JSON Schema, or in their protocol's own schema language.
 *
 * @module
 */
import { BowireError } from "../../errors/mod.ts";
import type { discoverTool } from "../../server/mod.ts";
import { safe, type Terminal } from "../terminal.ts";

type Service = ReturnType<typeof discoverTool.read>["services"][number];
type Method = Service["methods"][number];

/** How methods are to be written. */
export interface WrittenAs {
  /** `schema`, or the name of a schema language. */
  readonly form: string;
  /** Whether one method was named, and not all of a service. */
  readonly isOne: boolean;
  readonly isCompact: boolean;
}

/**
 * Prints methods in another form than their fields.
 *
 * @throws {BowireError} `usage` when there is no such form of them, with those that there are.
 */
export function printAs(
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
