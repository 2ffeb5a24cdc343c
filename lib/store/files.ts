/**
 * Files that a call may send: those below folders that the operator allowed, and no others.
 *
 * @module
 */
import { basename, isAbsolute, join, normalize, relative, sep } from "node:path";
import { BowireError, messageOf } from "../errors/mod.ts";

/** A file's content and its name without the folder. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Largest file, in bytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads files below some folders. */
export class AllowedFiles {
  readonly #folders: readonly string[];

  /** @param folders absolute paths; one that does not exist has no files. */
  constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /**
   * Reads one file. A relative path is looked for in each folder in turn.
   *
   * @throws {BowireError} `file_failed` when it is in none of them, when a link leads to it, when
   * it is no regular file, or larger than 64 MiB.
   */
  async read(path: string): Promise<NamedFile> {
    for (const folder of this.#folders) {
      const found = await locate(folder, path);
      if (found !== undefined) return { name: basename(found), bytes: await load(found, path) };
    }
    throw new BowireError(
      "file_failed",
      `cannot send the file ${JSON.stringify(path)}: ` +
        "there is none of that name in the folders that are allowed",
      {
        hint: this.#folders.length === 0
          ? "allow a folder with --allow-files DIR, or give the bytes as base64"
          : `the folders are: ${this.#folders.join(", ")}; allow others with --allow-files DIR`,
      },
    );
  }
}

/** The file's real path, if it lies below the folder without a link on the way. */
async function locate(folder: string, path: string): Promise<string | undefined> {
  if (path === "" || path.includes("\0")) return undefined;
  try {
    const root = await Deno.realPath(folder);
    const wanted = normalize(isAbsolute(path) ? path : join(root, path));
    const inside = relative(root, wanted);
    if (inside === "" || /^\.\.(?:[/\\]|$)/.test(inside) || isAbsolute(inside)) return undefined;
    const real = await Deno.realPath(wanted);
    // On a case-insensitive disk the real path may be spelt otherwise; below the root it must be.
    return real.toLowerCase() === wanted.toLowerCase() && real.startsWith(root + sep)
      ? real
      : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw failure(path, messageOf(error));
  }
}

async function load(real: string, path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const { isFile, size } = await Deno.lstat(real);
    if (!isFile) throw failure(path, "it is not a regular file");
    if (size > MAX_FILE_BYTES) throw failure(path, `it is larger than ${MAX_FILE_BYTES} bytes`);
    return await Deno.readFile(real);
  } catch (error) {
    if (error instanceof BowireError) throw error;
    throw failure(path, messageOf(error));
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory ||
    error instanceof Deno.errors.FilesystemLoop;
}

function failure(path: string, reason: string): BowireError {
  return new BowireError(
    "file_failed",
    `cannot send the file ${JSON.stringify(path)}: ${reason}`,
  );
}
