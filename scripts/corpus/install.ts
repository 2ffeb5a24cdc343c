// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Installs the documents, and the libraries that judge, into `scripts/corpus/documents`, at the
 * versions and checksums of the lock file there. No install script of a package is run.
 *
 * Run: `deno run --allow-run scripts/corpus/install.ts`
 *
 * @module
 */
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["install", "--frozen", "--quiet"],
  cwd: new URL("./documents", import.meta.url),
  stdin: "null",
}).spawn().status;
if (code !== 0) console.error("corpus: the documents could not be installed, see above");
Deno.exitCode = code;
