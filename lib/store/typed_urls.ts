/**
 * `typed-urls.json`: every URL that a person has pointed Bowire at, a flat list of strings.
 *
 * @module
 */
import { brokenFile, JsonFile } from "./json_file.ts";

/** Reads and extends the typed URLs of a home folder. */
export class TypedUrlStore {
  readonly #file: JsonFile;

  constructor(home: string) {
    this.#file = new JsonFile(home, "typed-urls.json");
  }

  get path(): string {
    return this.#file.path;
  }

  /**
   * The URLs in the order they were typed; none when there is no file.
   *
   * @throws {BowireError} `broken_file` when it is not a list.
   */
  async read(): Promise<string[]> {
    const read = await this.#file.read();
    if (read.state === "missing") return [];
    if (read.state === "broken") throw brokenFile(this.path, read.reason);
    return this.#listOf(read.value).filter((item) => typeof item === "string");
  }

  /**
   * Appends a URL.
   *
   * @returns false when it was there already, in any case of its letters.
   * @throws {BowireError} as {@linkcode JsonFile.update}.
   */
  async add(url: string): Promise<boolean> {
    let added = false;
    await this.#file.update((present) => {
      const list = present === undefined ? [] : this.#listOf(present);
      added = !list.some((item) =>
        typeof item === "string" && item.toLowerCase() === url.toLowerCase()
      );
      return added ? [...list, url] : present;
    });
    return added;
  }

  #listOf(value: unknown): readonly unknown[] {
    if (!Array.isArray(value)) throw brokenFile(this.path, "it is not a list");
    return value;
  }
}
