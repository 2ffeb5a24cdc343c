/**
 * `bowire schema add|list|remove`.
 *
 * @module
 */
import type { Command } from "commander";
import { schemaAdd, schemaList, schemaRemove } from "../../server/mod.ts";
import { completeUrl, connectionOf, plaintextOption } from "../reach/connection.ts";
import { typedServer } from "../reach/reach.ts";
import { importPathOption, locateSchemas, textsIn } from "../reach/schemas.ts";
import type { Session } from "../session.ts";
import { printTable } from "../table.ts";
import { safe } from "../terminal.ts";
import { addVerb, type VerbInput } from "../tool_command.ts";

/** How much of an id is shown: enough to name it by. */
const ID_LENGTH = 12;

/** Adds the commands around schemas. */
export function addSchemaCommands(program: Command, session: Session): void {
  const schema = program.command("schema").description(
    "Describe APIs that do not describe themselves, by their schema files.",
  );

  addVerb(schema, schemaAdd, session, {
    usage: "add <file...>",
    summary:
      "Read schema files, or folders of them, and keep them for a URL and everything below it.",
    extra: [importPathOption(), plaintextOption()],
    runsPlugins: true,
    examples: [
      "bowire schema add -I protos protos/shop.proto --url http://localhost:50051",
      "bowire schema add shop.binpb --url https://shop.example.com",
    ],
    hostOptions: (input) => ({
      allowedServerUrls: typedServer(urlIn(input)),
      allowedFileFolders: schemasOf(input).folders,
    }),
    toInput(input) {
      const { files, importPaths } = schemasOf(input);
      return { url: urlIn(input), files, importPaths };
    },
    show({ id, url, protocol, serviceCount, services, remarks, replaced }, { terminal }) {
      const verb = replaced ? "replaced" : "added";
      terminal.print(safe(`${verb} ${id.slice(0, ID_LENGTH)} (${protocol}) for ${url}`));
      for (const service of services) terminal.print(`  ${safe(service)}`);
      const more = serviceCount - services.length;
      if (more > 0) terminal.print(`  and ${more} more`);
      for (const remark of remarks) terminal.warn(safe(remark));
    },
  });

  addVerb(schema, schemaList, session, {
    usage: "list",
    summary: "List the schemas that are kept, all or those that describe one URL.",
    extra: [plaintextOption()],
    toInput: urlInput,
    show({ schemas, path }, { terminal }) {
      if (schemas.length === 0) terminal.print(`No schemas are kept in ${path}.`);
      printTable(
        terminal,
        schemas.map(({ id, url, protocol, serviceCount, files }) => [
          id.slice(0, ID_LENGTH),
          url,
          protocol,
          serviceCount === 1 ? "1 service" : `${serviceCount} services`,
          files.join(", "),
        ]),
      );
    },
  });

  addVerb(schema, schemaRemove, session, {
    usage: "remove [id]",
    summary: "Forget a schema by its id or the beginning of it, or all that were added for a URL.",
    without: ["id"],
    extra: [plaintextOption()],
    toInput: (input) => ({ id: input.positional[0], ...urlInput(input) }),
    show({ removed }, { terminal }) {
      for (const { id, url, protocol } of removed) {
        terminal.print(safe(`removed ${id.slice(0, ID_LENGTH)} (${protocol}) for ${url}`));
      }
    },
  });
}

function schemasOf({ positional, options }: VerbInput) {
  return locateSchemas(positional, textsIn(options.importPath));
}

function urlIn({ options }: VerbInput): string {
  return completeUrl(String(options.url), connectionOf(options));
}

function urlInput(input: VerbInput): Record<string, unknown> {
  return input.options.url === undefined ? {} : { url: urlIn(input) };
}
