/**
 * `environments.json`: named sets of variables and credentials.
 *
 * @module
 */
import type { Environment, EnvironmentsDocument } from "../model/mod.ts";
import { brokenFile, JsonFile } from "./json_file.ts";

/** Reads the environments of a home folder. */
export class EnvironmentStore {
  readonly #file: JsonFile;

  constructor(home: string) {
    this.#file = new JsonFile(home, "environments.json");
  }

  get path(): string {
    return this.#file.path;
  }

  /**
   * The document with its missing members filled in; `undefined` when there is no file.
   *
   * @throws {BowireError} `broken_file` when it is not JSON or not of this shape.
   */
  async read(): Promise<EnvironmentsDocument | undefined> {
    const document = await this.#readObject();
    if (document === undefined) return undefined;
    const { globals = {}, environments = [], activeEnvId = "" } = document;
    if (!isStringRecord(globals)) {
      throw brokenFile(this.path, '"globals" is not an object of strings');
    }
    if (typeof activeEnvId !== "string") {
      throw brokenFile(this.path, '"activeEnvId" is not a string');
    }
    if (!Array.isArray(environments)) throw brokenFile(this.path, '"environments" is not a list');
    return {
      ...document,
      globals,
      activeEnvId,
      environments: environments.map((item, index) => this.#check(item, index)),
    };
  }

  /** Every `serverUrl` in the document, at any depth and in any case of the name. */
  async serverUrls(): Promise<string[]> {
    return [...findServerUrls(await this.#readObject())];
  }

  async #readObject(): Promise<Record<string, unknown> | undefined> {
    const read = await this.#file.read();
    if (read.state === "missing") return undefined;
    if (read.state === "broken") throw brokenFile(this.path, read.reason);
    // A bare list is what the oldest versions wrote.
    if (Array.isArray(read.value)) return { environments: read.value };
    if (!isRecord(read.value)) throw brokenFile(this.path, "it is neither an object nor a list");
    return read.value;
  }

  #check(item: unknown, index: number): Environment {
    if (!isRecord(item)) throw brokenFile(this.path, `environments[${index}] is not an object`);
    const { id, name, vars } = item;
    if (typeof id !== "string") throw brokenFile(this.path, `environments[${index}] has no "id"`);
    if (name !== undefined && typeof name !== "string") {
      throw brokenFile(this.path, `the name of environments[${index}] is not a string`);
    }
    if (vars !== undefined && !isStringRecord(vars)) {
      throw brokenFile(
        this.path,
        `the vars of environments[${index}] are not an object of strings`,
      );
    }
    return { ...item, id, ...(name === undefined ? {} : { name }) } as Environment;
  }
}

function* findServerUrls(value: unknown): Generator<string> {
  if (value === null || typeof value !== "object") return;
  for (const [name, member] of Object.entries(value)) {
    if (name.toLowerCase() === "serverurl" && typeof member === "string" && member !== "") {
      yield member;
    } else yield* findServerUrls(member);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isStringRecord(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((member) => typeof member === "string");
}
