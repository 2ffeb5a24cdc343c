/**
 * Schema files in, the schema of a URL out.
 *
 * @module
 */
import { extname } from "node:path";
import { BowireError } from "../errors/mod.ts";
import { parseAddress } from "../gate/mod.ts";
import type { Host } from "../host/mod.ts";
import type { ProtocolManifest } from "../protocol/mod.ts";
import type { NewSchema } from "../store/mod.ts";

/** Schema files and what they describe. */
export interface SchemaFiles {
  /** With or without a `hint@`. */
  readonly url: string;
  /** Files, or folders for all schema files below; where the operator allows to read. */
  readonly files: readonly string[];
  /** Folders in which the files look for each other. @default what the protocol makes of the files */
  readonly importPaths?: readonly string[] | undefined;
  /** Id of the protocol. @default the hinted one, else the only one that reads such files */
  readonly protocol?: string | undefined;
}

/**
 * Reads schema files; nothing is kept of them.
 *
 * @returns the schema, and sentences about what is missing or odd in it.
 * @throws {BowireError} when the URL is refused, no single protocol reads the files, or they cannot
 * be read or understood.
 */
export async function readSchemaFiles(
  host: Host,
  { url, files, importPaths = [], protocol }: SchemaFiles,
  signal: AbortSignal,
): Promise<{ schema: NewSchema; remarks: readonly string[] }> {
  const { hint } = host.allowlist.admit(url);
  const named = protocol ?? hint;
  const { id } = named === undefined ? await readerOf(host, files) : host.registry.find(named);
  const { bytes, services, remarks } = await host.caller.readSchema(
    { url, protocol: id, files, roots: importPaths },
    signal,
  );
  const source = { url: schemaUrl(url), protocol: id, files, roots: importPaths };
  return { schema: { ...source, services, content: bytes }, remarks };
}

/**
 * The URL that a schema is kept for: canonical, without hint, query and fragment.
 *
 * @throws {BowireError} `invalid_url`.
 */
export function schemaUrl(url: string): string {
  return parseAddress(url).url.replace(/[?#].*$/s, "");
}

/** The only protocol that reads all of the files. */
async function readerOf({ registry, files }: Host, paths: readonly string[]) {
  const readers = registry.manifests.filter(({ schemaFiles = [] }) => schemaFiles.length > 0);
  let fitting = readers;
  for (const path of paths) {
    const isReadBySome = readers.some((manifest) => isReadBy(manifest, path));
    const names = isReadBySome ? [path] : await namesBelow(files, path);
    fitting = fitting.filter((manifest) => names.some((name) => isReadBy(manifest, name)));
  }
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  const quoted = paths.map((path) => JSON.stringify(path)).join(", ");
  const reading = readers.map(({ id, schemaFiles = [] }) => `${id} reads ${schemaFiles.join(" ")}`);
  throw new BowireError(
    "invalid_argument",
    `cannot add the schema ${quoted}: ${
      only === undefined ? "no protocol reads such files" : "several protocols read such files"
    }`,
    { hint: `name the protocol; ${reading.join("; ") || "none on board reads schema files"}` },
  );
}

/** What lies below a folder; the path itself when it looks like that of a file. */
async function namesBelow(files: Host["files"], path: string): Promise<readonly string[]> {
  try {
    return await files.list(path);
  } catch (error) {
    if (error instanceof BowireError && extname(path) !== "") return [path];
    throw error;
  }
}

function isReadBy({ schemaFiles = [] }: ProtocolManifest, path: string): boolean {
  return schemaFiles.some((ending) => path.toLowerCase().endsWith(ending));
}
