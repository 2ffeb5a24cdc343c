/**
 * A home folder of a test's own.
 *
 * @module
 */
import { join } from "node:path";

/** A temporary folder that Bowire keeps its files in; disposing it removes it. */
export class Home implements AsyncDisposable {
  /** Canonical path. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Makes an empty one. */
  static async make(): Promise<Home> {
    return new Home(await Deno.realPath(await Deno.makeTempDir({ prefix: "bowire-home-" })));
  }

  /** Path of a file in it. */
  file(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file: text as it is, anything else as JSON. */
  async put(name: string, content: unknown): Promise<string> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(this.file(name), text);
    return this.file(name);
  }

  read(name: string): Promise<string> {
    return Deno.readTextFile(this.file(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}
