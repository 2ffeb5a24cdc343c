/**
 * Schemas of APIs that do not describe themselves: `schemas.json` lists them, `schemas/<id>.bin`
 * holds each.
 *
 * @module
 */
import { join } from "node:path";
import { BowireError, messageOf } from "../errors/mod.ts";
import { brokenFile, JsonFile } from "./json_file.ts";
import { replaceFile } from "./replace_file.ts";
import {
  chooseEntries,
  idOf,
  isSameSource,
  type NewSchema,
  readIndex,
  type SchemaChoice,
  type SchemaEntry,
} from "./schema_entry.ts";

/** Largest schema, in bytes. */
const MAX_SCHEMA_BYTES = 64 * 1024 * 1024;
/** Longest entry in the index, in characters: what strangers named must not make it unreadable. */
const MAX_ENTRY_CHARS = 1024 * 1024;

/** Keeps the schemas of a home folder, and those of this run. */
export class SchemaStore {
  readonly #home: string;
  readonly #folder: string;
  readonly #index: JsonFile;
  readonly #now: () => number;
  readonly #ofRun = new Map<string, { entry: SchemaEntry; content: Uint8Array<ArrayBuffer> }>();

  /** @param now the clock, in milliseconds. */
  constructor(home: string, now: () => number = Date.now) {
    this.#home = home;
    this.#folder = join(home, "schemas");
    this.#index = new JsonFile(home, "schemas.json");
    this.#now = now;
  }

  /** Path of the index. */
  get path(): string {
    return this.#index.path;
  }

  /** Those of this run. */
  get forRun(): readonly SchemaEntry[] {
    return [...this.#ofRun.values()].map(({ entry }) => entry);
  }

  /**
   * Those on disk, in the order they came.
   *
   * @throws {BowireError} `broken_file` when the index is not JSON or not of this shape.
   */
  async list(): Promise<readonly SchemaEntry[]> {
    const read = await this.#index.read();
    if (read.state === "broken") throw brokenFile(this.path, read.reason);
    return readIndex(this.path, read.state === "ok" ? read.value : undefined).entries;
  }

  /**
   * Keeps a schema, in place of an older one of the same files for the same URL and protocol.
   *
   * @throws {BowireError} `too_large` above 64 MiB, or with names above 1 MiB; `broken_file` as
   * {@linkcode list}, or as {@linkcode JsonFile.update}.
   */
  async add(schema: NewSchema): Promise<{ entry: SchemaEntry; hasReplaced: boolean }> {
    const entry = await this.#entryOf(schema);
    let older: readonly SchemaEntry[] = [];
    await this.#index.update(async (present) => {
      const { document, entries } = readIndex(this.path, present);
      older = entries.filter((known) => isSameSource(known, entry) || known.id === entry.id);
      await Deno.mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await this.#checkFolder();
      await replaceFile(this.#contentPath(entry.id), schema.content);
      const kept = entries.filter((known) => !older.includes(known));
      return { ...document, schemas: [...kept, entry] };
    });
    await this.#sweep(older);
    return { entry, hasReplaced: older.length > 0 };
  }

  /**
   * Knows a schema as long as this store lives, and writes nothing.
   *
   * @throws {BowireError} `too_large` as {@linkcode add}.
   */
  async addForRun(schema: NewSchema): Promise<SchemaEntry> {
    const entry = await this.#entryOf(schema);
    this.#ofRun.set(entry.id, { entry, content: schema.content });
    return entry;
  }

  /**
   * Forgets schemas on disk.
   *
   * @returns what was forgotten.
   * @throws {BowireError} `not_found` when there is none to forget, `invalid_argument` when the
   * beginning of an id is that of several; `broken_file` as {@linkcode list}, or as
   * {@linkcode JsonFile.update}.
   */
  async remove(choice: SchemaChoice): Promise<readonly SchemaEntry[]> {
    let chosen: readonly SchemaEntry[] = [];
    await this.#index.update((present) => {
      const { document, entries } = readIndex(this.path, present);
      chosen = chooseEntries(entries, choice);
      return { ...document, schemas: entries.filter((known) => !chosen.includes(known)) };
    });
    await this.#sweep(chosen);
    return chosen;
  }

  /**
   * The content of a schema, on disk or of this run.
   *
   * @throws {BowireError} `file_failed` when it was removed, or is not what was kept;
   * `permission_denied` when Deno forbids to read it.
   */
  async load(id: string): Promise<Uint8Array<ArrayBuffer>> {
    const ofRun = this.#ofRun.get(id);
    if (ofRun !== undefined) return ofRun.content;
    const entry = (await this.list()).find((known) => known.id === id);
    if (entry === undefined) throw unloadable(id, "it is not known any more");
    try {
      await this.#checkFolder();
      const path = this.#contentPath(id);
      const { isFile, size } = await Deno.lstat(path);
      const isUnchanged = isFile && size === entry.bytes && size <= MAX_SCHEMA_BYTES;
      const content = isUnchanged ? await Deno.readFile(path) : undefined;
      if (content !== undefined && await idOf(entry, content) === id) return content;
    } catch (error) {
      if (error instanceof BowireError) throw error;
      if (error instanceof Deno.errors.NotFound) throw unloadable(id, "its file is gone");
      if (error instanceof Deno.errors.NotCapable) {
        const hint = `start it with --allow-read=${this.#home}`;
        const message = `Deno does not let this process read "${this.#folder}"`;
        throw new BowireError("permission_denied", message, { hint, cause: error });
      }
      throw unloadable(id, messageOf(error));
    }
    throw unloadable(id, "its file was changed");
  }

  async #entryOf({ content, ...schema }: NewSchema): Promise<SchemaEntry> {
    const { length } = content;
    if (length > MAX_SCHEMA_BYTES) throw tooLarge(`it has ${length} bytes`, MAX_SCHEMA_BYTES);
    const { length: chars } = JSON.stringify(schema);
    if (chars > MAX_ENTRY_CHARS) {
      throw tooLarge(`its names take ${chars} characters`, MAX_ENTRY_CHARS);
    }
    const addedAt = new Date(this.#now()).toISOString();
    return { id: await idOf(schema, content), ...schema, addedAt, bytes: length };
  }

  /** The id is one of an entry, and so 64 hexadecimal digits. */
  #contentPath(id: string): string {
    return join(this.#folder, `${id}.bin`);
  }

  async #checkFolder(): Promise<void> {
    if (await Deno.realPath(this.#folder) !== join(await Deno.realPath(this.#home), "schemas")) {
      throw brokenFile(this.#folder, "it is a link that leads elsewhere");
    }
  }

  /** Deletes contents, under the lock: another process may just have added one of them again. */
  async #sweep(forgotten: readonly SchemaEntry[]): Promise<void> {
    if (forgotten.length === 0) return;
    await this.#index.update(async (present) => {
      const known = readIndex(this.path, present).entries.map(({ id }) => id);
      for (const { id } of forgotten.filter(({ id }) => !known.includes(id))) {
        // What is gone, or lies behind a link, is left alone: it is forgotten all the same.
        await this.#checkFolder().then(() => Deno.remove(this.#contentPath(id))).catch(() => {});
      }
      return present;
    });
  }
}

function tooLarge(what: string, limit: number): BowireError {
  return new BowireError("too_large", `cannot add the schema: ${what}, more than ${limit}`);
}

function unloadable(id: string, reason: string): BowireError {
  return new BowireError("file_failed", `cannot load the schema "${id}": ${reason}`, {
    hint: "bowire.schema.remove it, then bowire.schema.add its files again",
  });
}
