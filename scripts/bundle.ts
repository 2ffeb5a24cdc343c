/**
 * Bundles modules with all that they import, so that nothing else has to be loaded.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes the executable into a folder: `main.js` with its parts, and in the folder `plugins` the
 * worker's `worker.js` with its own.
 *
 * @throws {Error} when the bundler fails; it has said why on standard error.
 */
export async function bundle(folder: string): Promise<void> {
  await bundleModules(["main.ts"], { folder });
  await bundleModules(["plugins/worker.ts"], { folder: `${folder}/plugins` });
}

/**
 * Writes one file for each module into a folder, and beside them the parts that several share or
 * that are imported later. In one file with the rest, those would be loaded at the start.
 *
 * @param options `from` is where the modules lie, and what decides how their imports are found: by
 * default the root of the repository.
 * @throws {Error} when the bundler fails; it has said why on standard error.
 */
export async function bundleModules(
  modules: readonly string[],
  { folder, from = ROOT }: { folder: string; from?: string },
): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--minify", "--code-splitting", "--outdir", folder, ...modules],
    cwd: from,
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error("deno bundle failed");
}
