/**
 * `mcp-servers.json`: servers that a person has named, in the shape that MCP clients share.
 *
 * @module
 */
import { isObject, type JsonObject } from "../schema/json_schema.ts";
import { BowireError } from "../errors/mod.ts";
import { brokenFile, JsonFile } from "./json_file.ts";

/** A program that is started, or a URL. */
export type NamedServer =
  | {
    readonly command: string;
    readonly args: readonly string[];
    /** Besides what every program gets. Its values may be secrets. */
    readonly env: Readonly<Record<string, string>>;
    readonly cwd?: string;
  }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** Reads the servers of a home folder. */
export class ServerStore {
  readonly #file: JsonFile;

  constructor(home: string) {
    this.#file = new JsonFile(home, "mcp-servers.json");
  }

  get path(): string {
    return this.#file.path;
  }

  /**
   * The server of a name.
   *
   * @throws {BowireError} `not_found` with the names that there are, `broken_file` or `file_failed`.
   */
  async find(name: string): Promise<NamedServer> {
    const servers = await this.#read();
    const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
    if (entry !== undefined) return this.#check(name, entry);
    const known = Object.keys(servers);
    throw new BowireError("not_found", `there is no server "${name}" in "${this.path}"`, {
      hint: known.length > 0
        ? `known are: ${known.join(", ")}`
        : 'write it as {"mcpServers": {"name": {"command": "npx", "args": ["-y", "package"]}}}',
    });
  }

  async #read(): Promise<JsonObject> {
    const read = await this.#file.read();
    if (read.state === "missing") return {};
    if (read.state === "broken") throw brokenFile(this.path, read.reason);
    const { value } = read;
    // Some clients call it the one, some the other.
    const servers = isObject(value) ? value["mcpServers"] ?? value["servers"] ?? {} : undefined;
    if (!isObject(servers)) throw brokenFile(this.path, '"mcpServers" is not an object');
    return servers;
  }

  #check(name: string, entry: unknown): NamedServer {
    const broken = (reason: string) => brokenFile(this.path, `"${name}" ${reason}`);
    if (!isObject(entry)) throw broken("is not an object");
    const { command, args = [], env = {}, cwd, url, headers = {} } = entry;
    if (typeof url === "string") {
      if (!isTexts(headers)) throw broken('has "headers" that are not an object of strings');
      return { url, headers };
    }
    if (typeof command !== "string" || command === "") {
      throw broken('has neither "command" nor "url"');
    }
    if (!Array.isArray(args) || !args.every((word) => typeof word === "string")) {
      throw broken('has "args" that are not a list of strings');
    }
    if (!isTexts(env)) throw broken('has an "env" that is not an object of strings');
    return { command, args, env, ...(typeof cwd === "string" ? { cwd } : {}) };
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((member) => typeof member === "string");
}
