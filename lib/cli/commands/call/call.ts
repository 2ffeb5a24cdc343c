/**
 * `bowire call`.
 *
 * @module
 */
import { type Command, InvalidArgumentError, Option } from "commander";
import { BowireError } from "../../../errors/mod.ts";
import { substitute } from "../../../schema/mod.ts";
import { invokeTool } from "../../../server/mod.ts";
import { collectHeaders, headerOption } from "../../options.ts";
import { ExitCode, type Session } from "../../session.ts";
import { safe } from "../../terminal.ts";
import { addVerb, type VerbInput } from "../../tool_command.ts";
import { dataFiles, dataOption, readBody } from "./data.ts";
import { streamCall, streamOptions } from "./stream.ts";
import { splitName } from "../discover.ts";
import { layOut } from "./lay_out.ts";

const HTTP_VERBS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Adds the command that makes one call. */
export function addCallCommand(program: Command, session: Session): void {
  addVerb(program, invokeTool, session, {
    usage: "call <method>",
    summary: "Call SERVICE/METHOD and print its answer; an HTTP verb alone calls the URL as it is.",
    without: ["service", "method", "maxResponseChars", "validate"],
    extra: [
      dataOption(),
      headerOption(),
      new Option("--no-validate", "send arguments even if they break the method's schema (REST)"),
      new Option(
        "--allow-files <dir...>",
        'also send files of this folder, named as {"file": "photo.png"}; those here always are (REST)',
      ),
      new Option("--var <name=value>", "put a value in place of {{name}} (repeatable)").argParser(
        collectVariable,
      ),
      ...streamOptions(),
    ],
    hostOptions: ({ options: { allowFiles } }) => ({
      allowedFileFolders: [".", ...Array.isArray(allowFiles) ? allowFiles : []],
    }),
    failureCode: ExitCode.protocolError,
    examples: [
      `bowire call Pets/getPet --url http://localhost:8080 -d '{"id": 7}'`,
      "bowire call Pets/addPet --url http://localhost:8080 -d @pet.json -H 'X-Api-Key: {{key}}' --var key=demo",
      "bowire call GET --url http://localhost:8080/health",
      `bowire call Clock/watch --url http://localhost:50051 --stream -d '{"zone": "UTC"}'`,
    ],
    toInput(input) {
      const { positional: [name = ""], options } = input;
      const fill = filling(input);
      const headers = Object.entries(collectHeaders(input)).map((
        [header, value],
      ) => [header, fill(value)]);
      return {
        ...(HTTP_VERBS.has(name.toUpperCase()) ? { service: "", method: name } : methodIn(name)),
        ...(options.url === undefined ? {} : { url: fill(String(options.url)) }),
        metadata: Object.fromEntries(headers),
        validate: options.validate,
        maxResponseChars: Number.MAX_SAFE_INTEGER,
      };
    },
    filesOf: ({ options: { data } }) => dataFiles(data),
    async readInput(input) {
      return { body: await readBody(input.options.data, filling(input)) };
    },
    standIn: (input) =>
      input.options.stream === true
        ? (host, args) => streamCall(host, args, { session, input })
        : undefined,
    show(data, { terminal }, { options: { compact } }) {
      const { status, metadata, response, responseBinary, error } = data;
      if (error !== undefined) {
        const reason = [metadata.http_status, metadata.http_reason].filter((part) =>
          part !== undefined
        ).join(" ");
        terminal.warn(
          `${terminal.paint(status, "bad")}${reason === "" ? "" : ` (${safe(reason)})`}`,
        );
        if (error.hint !== undefined) terminal.warn(`  ${safe(error.hint)}`);
      }
      if (responseBinary !== undefined) terminal.print(responseBinary);
      else if (response !== null) {
        terminal.print(layOut(response, terminal, compact === true));
      }
    },
  });
}

function methodIn(name: string): { service: string; method: string } {
  const { service, method } = splitName(name);
  if (method !== undefined && method !== "") return { service, method };
  throw new BowireError("usage", `cannot call "${name}": it names no method`, {
    hint: "write SERVICE/METHOD, as bowire discover lists them, or an HTTP verb",
  });
}

function collectVariable(text: string, known: Record<string, string> = {}): Record<string, string> {
  const sign = text.indexOf("=");
  if (sign < 1) throw new InvalidArgumentError("write it as name=value.");
  return { ...known, [text.slice(0, sign)]: text.slice(sign + 1) };
}

/** Puts the variables that were given into a text. */
function filling({ options: { var: values } }: VerbInput): (text: string) => string {
  const variables = values !== null && typeof values === "object" ? { ...values } : {};
  return (text) => substitute(text, variables);
}
