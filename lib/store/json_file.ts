/**
 * One JSON document on disk: read with *missing* told from *broken*, written whole or not at all,
 * one writer at a time over all processes, numbers exact.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { BowireError, messageOf } from "../errors/mod.ts";
import { parseJson } from "../schema/mod.ts";
import { replaceFile } from "./replace_file.ts";

/** Largest document that is read, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** How long after it was written a file is taken for what it looks like, in milliseconds. */
const SETTLED_MS = 2000;

/** What a read found. */
export type JsonRead =
  | { readonly state: "ok"; readonly value: unknown }
  | { readonly state: "missing" }
  | { readonly state: "broken"; readonly reason: string };

/** A JSON document inside a home folder. */
export class JsonFile {
  readonly path: string;
  readonly #folder: string;
  /** What was read last, and what the file looked like. */
  #last: { readonly look: string; readonly read: JsonRead } | undefined;

  /**
   * @param folder the folder that the document must not lead out of.
   * @param name the file's name inside it.
   */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.path = join(folder, name);
  }

  /**
   * Reads the document.
   *
   * @throws {BowireError} `permission_denied` when Deno forbids it, `file_failed`
   * for any other trouble with the disk.
   */
  async read(): Promise<JsonRead> {
    try {
      // In this thread: every call looks at its documents, and by way of another it takes longer
      // than most calls to a server nearby.
      const { size, mtime, ino } = Deno.statSync(this.path);
      const writtenMs = mtime?.getTime() ?? Infinity;
      const look = `${size} ${writtenMs} ${ino}`;
      if (this.#last?.look === look) return this.#last.read;
      const startedMs = Date.now();
      const read = await this.#load(size);
      // What was written a moment ago may be written again without looking different.
      this.#last = startedMs - writtenMs > SETTLED_MS ? { look, read } : undefined;
      return read;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return { state: "missing" };
      throw this.#failed("read", "--allow-read", error);
    }
  }

  async #load(size: number): Promise<JsonRead> {
    const real = await Deno.realPath(this.path);
    if (dirname(real) !== await Deno.realPath(this.#folder)) {
      return { state: "broken", reason: "it is a link that leads out of its folder" };
    }
    if (size > MAX_DOCUMENT_BYTES) {
      return { state: "broken", reason: `it is larger than ${MAX_DOCUMENT_BYTES} bytes` };
    }
    return parse(await Deno.readTextFile(real));
  }

  /**
   * Replaces the document by what `change` makes of it, under a lock that all processes honour.
   * Returning the same value, or `undefined`, writes nothing.
   *
   * @param change gets the present value, `undefined` when there is no file; a promise is waited for
   * while the lock is held.
   * @throws {BowireError} `broken_file` when the present document cannot be parsed (it is left as
   * it is), `permission_denied` or `file_failed` when it cannot be written.
   */
  async update(change: (present: unknown) => unknown): Promise<void> {
    try {
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      using lock = await Deno.open(`${this.path}.lock`, { create: true, write: true, mode: 0o600 });
      await lock.lock(true);
      const read = await this.read();
      if (read.state === "broken") throw brokenFile(this.path, read.reason);
      const present = read.state === "ok" ? read.value : undefined;
      const next = await change(present);
      if (next === undefined || next === present) return;
      await replaceFile(this.path, new TextEncoder().encode(JSON.stringify(next)));
    } catch (error) {
      if (error instanceof BowireError) throw error;
      throw this.#failed("write", "--allow-write", error);
    }
  }

  #failed(verb: string, flag: string, error: unknown): BowireError {
    if (error instanceof Deno.errors.NotCapable) {
      return new BowireError(
        "permission_denied",
        `Deno does not let this process ${verb} "${this.path}"`,
        {
          hint: `start it with ${flag}=${this.#folder}`,
          cause: error,
        },
      );
    }
    return new BowireError("file_failed", `cannot ${verb} "${this.path}": ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The error for a document that exists but cannot be understood. */
export function brokenFile(path: string, reason: string): BowireError {
  return new BowireError("broken_file", `cannot use "${path}": ${reason}`, {
    hint: "mend the file or move it away; nothing was changed",
    details: { path },
  });
}

function parse(text: string): JsonRead {
  try {
    // Editors on Windows like to put a byte order mark in front.
    return { state: "ok", value: parseJson(text.replace(/^\ufeff/, "")) };
  } catch (error) {
    // What the engine quotes of the document may be a secret.
    const reason = messageOf(error).replace(/, (\.\.\.)?".*"(\.\.\.)? is not valid JSON$/s, "");
    return { state: "broken", reason: `it is not JSON (${reason})` };
  }
}
