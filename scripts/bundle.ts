/**
 * Bundles the executable into one JavaScript file.
 *
 * @module
 */

/**
 * Writes `main.js` into a folder.
 *
 * @throws {Error} when the bundler fails; it has said why on standard error.
 */
export async function bundle(folder: string): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--minify", "--outdir", folder, "main.ts"],
    cwd: new URL("..", import.meta.url),
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error("deno bundle failed");
}
