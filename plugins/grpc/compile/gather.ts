/**
 * Finds and parses all files that some files need.
 *
 * @module
 */
import type { FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { BowireError } from "../../../lib/errors/error.ts";
import { failAt, quote } from "./failure.ts";
import { GOOGLE_API } from "./google_api.ts";
import { parseFile } from "./parse/file.ts";
import type { ParsedFile } from "./syntax/tree.ts";
import { WELL_KNOWN } from "./well_known.ts";

/** Finds the text of an imported path; undefined when there is none. */
export type Load = (path: string) => Promise<string | undefined>;

/** A file that is to be linked. */
export interface GatheredFile {
  readonly proto: FileDescriptorProto;
  /** Absent for a file that was compiled before. */
  readonly parsed: ParsedFile | undefined;
  /** Imported paths; all of them were gathered. */
  readonly imports: readonly string[];
}

/** Most files of one compilation; the largest public collection has 7,243. */
const MAX_FILES = 20_000;
const LESS = `compile fewer files at once: ${MAX_FILES} with all their imports`;

/** All files by their paths. */
export type GatheredFiles = ReadonlyMap<string, GatheredFile>;

/**
 * Gathers files with everything that they import, directly or not.
 *
 * @throws {BowireError} `bad_document` for a file that is missing or cannot be parsed.
 */
export async function gatherFiles(paths: readonly string[], load: Load): Promise<GatheredFiles> {
  const files = new Map<string, GatheredFile>();
  const wanted: Wanted[] = paths.map((path) => ({ path, importer: undefined }));
  for (let next = wanted.pop(); next !== undefined; next = wanted.pop()) {
    if (files.has(next.path)) continue;
    if (files.size === MAX_FILES) failImport(next, "there are too many files", LESS);
    const file = await gatherFile(next, load);
    files.set(next.path, file);
    for (const path of file.imports) wanted.push({ path, importer: file.parsed });
  }
  return files;
}

interface Wanted {
  readonly path: string;
  readonly importer: ParsedFile | undefined;
}

async function gatherFile({ path, importer }: Wanted, load: Load): Promise<GatheredFile> {
  checkPath({ path, importer });
  const text = await load(path) ?? GOOGLE_API.get(path);
  if (text !== undefined) {
    const parsed = parseFile({ path, text });
    return { proto: parsed.proto, parsed, imports: [...parsed.imports.keys()] };
  }
  const proto = WELL_KNOWN.get(path);
  if (proto !== undefined) return { proto, parsed: undefined, imports: proto.dependency };
  return failImport(
    { path, importer },
    `the file ${quote(path)} was not found`,
    `add the folder in which ${quote(path)} lies as an import root`,
  );
}

/** Paths are below a root, with one spelling each (protoc, importer.cc). */
function checkPath({ path, importer }: Wanted): void {
  const parts = path.split("/");
  if (!path.includes("\\") && !parts.some((part) => ["", ".", ".."].includes(part))) return;
  failImport(
    { path, importer },
    `the path ${quote(path)} is not one below an import root`,
    "write the path without backslashes, empty parts, . and ..",
  );
}

function failImport({ path, importer }: Wanted, problem: string, hint: string): never {
  if (importer !== undefined) {
    failAt(importer.source, importer.imports.get(path) ?? 0, problem, hint);
  }
  throw new BowireError("bad_document", `cannot compile ${quote(path)}: ${problem}`, { hint });
}
