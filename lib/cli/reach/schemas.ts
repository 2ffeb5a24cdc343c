/**
 * Schema files that were typed.
 *
 * @module
 */
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Option } from "commander";
import { BowireError, messageOf } from "../../errors/mod.ts";

/** Schema files and where they look for each other. All paths are absolute, without links. */
export interface TypedSchemas {
  readonly files: readonly string[];
  readonly importPaths: readonly string[];
  /** The folders that must be read for them. */
  readonly folders: readonly string[];
}

const GROUP = "Schema options, for this run only:";

/** The options that describe an API for one run. */
export function schemaOptions(): Option[] {
  return [
    repeatable("--proto <file>", "describe the API by this schema file (repeatable)"),
    repeatable("--protoset <file>", "describe the API by this compiled schema (repeatable)"),
    importPathOption(),
  ].map((option) => option.helpGroup(GROUP));
}

/** The repeatable option for folders in which schema files look for each other. */
export function importPathOption(): Option {
  return repeatable(
    "-I, --import-path <dir>",
    "where schema files, and what they import, are looked for (repeatable)",
  );
}

/**
 * The schemas that the options name; no files when there are none.
 *
 * @throws {BowireError} `file_failed` for a path that does not exist.
 */
export function schemasIn(options: Readonly<Record<string, unknown>>): TypedSchemas {
  const { proto, protoset, importPath } = options;
  return locateSchemas([...textsIn(proto), ...textsIn(protoset)], textsIn(importPath));
}

/**
 * Finds schema files as they were typed: from the current folder, else from an import path. Without
 * import paths, they look for each other in the folders that were typed or hold a file, then in the
 * current one.
 *
 * @throws {BowireError} `file_failed` for a path that does not exist.
 */
export function locateSchemas(
  typed: readonly string[],
  typedImportPaths: readonly string[],
): TypedSchemas {
  const given = typedImportPaths.map((path) => find([path], path));
  const files = typed.map((path) => {
    const below = isAbsolute(path) ? [] : given.map((folder) => join(folder, path));
    return find([path, ...below], path);
  });
  const holders = files.map((path) => isFolder(path) ? path : dirname(path));
  const here = typed.every((path) => isAbsolute(path)) ? [] : [find(["."], ".")];
  const importPaths = given.length > 0 ? given : [...new Set([...holders, ...here])];
  const linked = [...typed, ...typedImportPaths].flatMap(folderOfLink);
  return { files, importPaths, folders: [...new Set([...holders, ...importPaths, ...linked])] };
}

/** The folder of a path as it was typed, where a link leads elsewhere: both spellings are read. */
function folderOfLink(path: string): string[] {
  const typed = resolve(path);
  try {
    if (Deno.realPathSync(typed) === typed) return [];
    return [isFolder(typed) ? typed : dirname(typed)];
  } catch {
    return []; // below an import path, or told already
  }
}

/** The texts that a repeatable option collected. */
export function textsIn(option: unknown): string[] {
  return Array.isArray(option) ? option.map(String) : [];
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description)
    .argParser((path: string, known: string[] = []) => [...known, path]);
}

/** The real path of the first candidate that exists. */
function find(candidates: readonly string[], typed: string): string {
  let hidden: string | undefined;
  for (const path of candidates) {
    try {
      return Deno.realPathSync(path);
    } catch (error) {
      // `bowire permissions` is asked before the permission is there.
      if (error instanceof Deno.errors.NotCapable) hidden ??= resolve(path);
      else if (!(error instanceof Deno.errors.NotFound)) throw unreadable(typed, messageOf(error));
    }
  }
  if (hidden === undefined) throw unreadable(typed, "there is no such file or folder");
  return hidden;
}

function isFolder(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false; // not to be read, as above
  }
}

function unreadable(path: string, reason: string): BowireError {
  return new BowireError("file_failed", `cannot read the schema "${path}": ${reason}`);
}
