// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Installs the packages of folders, each with a `package.json`, into those folders, at the versions
 * and checksums of the lock files there. No install script of a package is run.
 *
 * Run: `deno run --allow-run scripts/install_programs.ts FOLDER...`
 *
 * @module
 */
for (const folder of Deno.args) {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--frozen", "--quiet"],
    cwd: folder,
    stdin: "null",
  }).spawn().status;
  if (code === 0) continue;
  console.error(`the packages of ${folder} could not be installed, see above`);
  Deno.exit(code);
}
