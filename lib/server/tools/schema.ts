/**
 * `bowire.schema.add`, `bowire.schema.list` and `bowire.schema.remove`.
 *
 * @module
 */
import * as z from "zod";
import { BowireError } from "../../errors/mod.ts";
import { isWithin, parseAddress } from "../../gate/mod.ts";
import { readSchemaFiles, schemaUrl } from "../schema_files.ts";
import { defineTool } from "../tool.ts";

/** Most names of services that a list shows of each schema. */
const MAX_LISTED = 20;
/** The same for the schema that was just added. */
const MAX_ADDED = 200;

/** Keeps the schema of an API that does not describe itself. */
export const schemaAdd = defineTool({
  name: "bowire.schema.add",
  title: "Add a schema",
  description:
    "Describe an API that does not describe itself: read its schema files and keep them for this URL and everything below. " +
    "The same files again replace what was kept of them. A change: the user must agree first.",
  access: "change",
  input: z.strictObject({
    url: z.string().min(1).describe("Target URL, as given to bowire.discover"),
    files: z.array(z.string().min(1)).min(1).describe(
      "Schema files, or folders for all below; in the folders that may be read",
    ),
    importPaths: z.array(z.string().min(1)).optional().describe(
      "Folders in which the files look for each other",
    ),
    protocol: z.string().optional().describe("Id of the protocol, when the files do not tell"),
  }),
  output: z.object({
    id: z.string(),
    url: z.string(),
    protocol: z.string(),
    serviceCount: z.number().int(),
    services: z.array(z.string()).describe(`The first ${MAX_ADDED}`),
    remarks: z.array(z.string()).describe("What is missing or odd"),
    replaced: z.boolean(),
  }),
  plan(host, { url, files, importPaths = [], protocol }) {
    host.allowlist.admit(url);
    if (protocol !== undefined) host.registry.find(protocol);
    const listed = (paths: readonly string[]) =>
      paths.map((path) => JSON.stringify(path)).join(", ");
    const roots = importPaths.length === 0
      ? ""
      : ` with what they import from ${listed(importPaths)}`;
    return `Read the schema files ${
      listed(files)
    }${roots} and keep what they say, as the description of ` +
      `${schemaUrl(url)} and everything below it, from now on (listed in ${host.schemas.path})`;
  },
  async run(host, input, { signal }) {
    const { schema, remarks } = await readSchemaFiles(host, input, signal);
    const { entry: { id, url, protocol, services }, hasReplaced } = await host.schemas.add(schema);
    return {
      id,
      url,
      protocol,
      serviceCount: services.length,
      services: services.slice(0, MAX_ADDED),
      remarks: [...remarks],
      replaced: hasReplaced,
    };
  },
});

/** Lists the schemas that are kept. */
export const schemaList = defineTool({
  name: "bowire.schema.list",
  title: "List schemas",
  description: "List the schemas that were added for URLs, all or those that describe one URL.",
  access: "read",
  input: z.strictObject({ url: z.string().min(1).optional().describe("Target URL") }),
  output: z.object({
    path: z.string(),
    schemas: z.array(z.object({
      id: z.string(),
      url: z.string(),
      protocol: z.string(),
      files: z.array(z.string()),
      serviceCount: z.number().int(),
      services: z.array(z.string()).describe(`The first ${MAX_LISTED}`),
      addedAt: z.string(),
      bytes: z.number().int(),
    })),
  }),
  async run({ schemas }, { url }) {
    const entries = await schemas.list();
    const wanted = url === undefined
      ? entries
      : entries.filter((entry) => isWithin(parseAddress(url), parseAddress(entry.url)));
    return {
      path: schemas.path,
      schemas: wanted.map(({ id, url, protocol, files, services, addedAt, bytes }) => ({
        id,
        url,
        protocol,
        files: [...files],
        serviceCount: services.length,
        services: services.slice(0, MAX_LISTED),
        addedAt,
        bytes,
      })),
    };
  },
});

/** Forgets schemas. */
export const schemaRemove = defineTool({
  name: "bowire.schema.remove",
  title: "Remove a schema",
  description:
    "Forget a schema by id, or all that were added for a URL. A change: the user must agree first.",
  access: "change",
  input: z.strictObject({
    id: z.string().min(1).optional().describe("Id from bowire.schema.list, or its beginning"),
    url: z.string().min(1).optional().describe("URL that it was added for"),
  }),
  output: z.object({
    removed: z.array(z.object({ id: z.string(), url: z.string(), protocol: z.string() })),
  }),
  plan(host, input) {
    const { id, url } = choiceOf(input);
    const what = id === undefined ? "all schemas" : `the schema ${JSON.stringify(id)}`;
    const whose = url === undefined ? "" : ` of ${url}`;
    return `Forget ${what}${whose} (listed in ${host.schemas.path})`;
  },
  async run({ schemas }, input) {
    const removed = await schemas.remove(choiceOf(input));
    return { removed: removed.map(({ id, url, protocol }) => ({ id, url, protocol })) };
  },
});

function choiceOf({ id, url }: { id?: string | undefined; url?: string | undefined }) {
  if (id === undefined && url === undefined) {
    throw new BowireError(
      "invalid_argument",
      "cannot remove a schema: neither id nor url is given",
      {
        hint: "bowire.schema.list tells both",
      },
    );
  }
  return { id, url: url === undefined ? undefined : schemaUrl(url) };
}
