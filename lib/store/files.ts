/**
 * Files that a call may send: those below folders that the operator allowed, and no others.
 *
 * @module
 */
import { basename, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { BowireError, messageOf } from "../errors/mod.ts";

/** A file's content and its name without the folder. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Largest file, in bytes. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Most files of a folder that is listed. */
const MAX_LISTED = 50_000;

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
    const found = await this.#find(path);
    return { name: basename(found), bytes: await load(found, path) };
  }

  /**
   * Lists the files below a folder: their paths within it, with `/`, in order. Links are passed over.
   *
   * @throws {BowireError} `file_failed` when it is not to be read, is a file, or has more than 50,000
   * files.
   */
  async list(path: string): Promise<readonly string[]> {
    const root = await this.#find(path);
    const files: string[] = [];
    const collect = async (below: string): Promise<void> => {
      for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, below))) {
        const inside = below === "" ? name : `${below}/${name}`;
        if (isFile) files.push(inside);
        if (isDirectory) await collect(inside);
        if (files.length > MAX_LISTED) {
          throw failure(path, `it has more than ${MAX_LISTED} files`);
        }
      }
    };
    try {
      await collect("");
    } catch (error) {
      if (error instanceof BowireError) throw error;
      throw failure(path, messageOf(error));
    }
    return files.sort();
  }

  /** The real path of a file or folder of that name in the allowed ones. */
  async #find(path: string): Promise<string> {
    for (const folder of this.#folders) {
      const found = await locate(folder, path);
      if (found !== undefined) return found;
    }
    throw new BowireError(
      "file_failed",
      `cannot read ${JSON.stringify(path)}: ` +
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
    // A path may be written by way of a link to the folder.
    const typed = isAbsolute(path) ? relative(resolve(folder), path) : path;
    const wanted = normalize(isOutside(typed) && isAbsolute(path) ? path : join(root, typed));
    if (isOutside(relative(root, wanted))) return undefined;
    const real = await Deno.realPath(wanted);
    // On a case-insensitive disk the real path may be spelt otherwise; below the root it must be.
    const isBelow = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
    return real.toLowerCase() === wanted.toLowerCase() && isBelow ? real : undefined;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw failure(path, messageOf(error));
  }
}

/** Whether a relative path leads out of where it starts. */
function isOutside(path: string): boolean {
  return /^\.\.(?:[/\\]|$)/.test(path) || isAbsolute(path);
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
    `cannot read ${JSON.stringify(path)}: ${reason}`,
  );
}
