// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Installs the gateways beside which the forwarder is scored into `scripts/conformance/programs`,
 * at the versions and checksums of the lock file there. No install script of a package is run.
 *
 * Run: `deno run --allow-run scripts/conformance/install.ts`
 *
 * @module
 */
const { code } = await new Deno.Command(Deno.execPath(), {
  args: ["install", "--frozen", "--quiet"],
  cwd: new URL("./programs", import.meta.url),
  stdin: "null",
}).spawn().status;
if (code !== 0) {
  console.error("conformance: the programs could not be installed, see above");
  Deno.exit(code);
}
