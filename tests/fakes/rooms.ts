/** What the tests of single rooms share. */
import { fileURLToPath } from "node:url";
import { fail } from "node:assert/strict";
import { BowireError } from "../../lib/errors/mod.ts";

/** The refusal that `run` throws. */
export function refusalOf(run: () => unknown): BowireError {
  try {
    run();
  } catch (error) {
    if (error instanceof BowireError) return error;
    throw error;
  }
  fail("nothing was refused");
}

/** The refusal that `promise` rejects with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<BowireError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof BowireError) return error;
    throw error;
  }
  fail("nothing was refused");
}

/** A clock that is set by hand. */
export class Clock {
  ms = 1_000_000;

  readonly now = (): number => this.ms;
}

/** A folder that is removed at the end of its scope. */
export interface Folder extends AsyncDisposable {
  readonly path: string;
}

/** Makes a folder, its path without links. */
export async function makeFolder(): Promise<Folder> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** A server on 127.0.0.1 that ends with its scope. */
export interface LocalServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, without a slash. */
  readonly url: string;
  readonly port: number;
}

/** Serves on a free port. */
export function serveLocal(
  handler: (request: Request) => Response | Promise<Response>,
): LocalServer {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const { port } = server.addr;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** What another Deno process left behind. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a module of text in another Deno process with only the given permissions, and `env` besides its own. */
export async function runModule(
  source: string,
  flags: readonly string[],
  { env = {} }: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Run> {
  await using folder = await makeFolder();
  const file = `${folder.path}/main.ts`;
  await Deno.writeTextFile(file, source);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--cached-only",
      "--quiet",
      "--no-prompt",
      `--config=${pathOf("deno.json")}`,
      ...flags,
      file,
    ],
    env,
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** The `file:` URL of a module of this project, for the text of {@linkcode runModule}. */
export function moduleUrl(path: string): string {
  return new URL(`../../${path}`, import.meta.url).href;
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
