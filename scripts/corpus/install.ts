// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Installs OpenAPI documents and the libraries that judge into `scripts/corpus/documents`, and
 * `.proto` files and their compiler into `scripts/corpus/protos`, at the versions and checksums of
 * the lock files there. No install script of a package is run.
 *
 * Run: `deno run --allow-run scripts/corpus/install.ts`
 *
 * @module
 */
for (const folder of ["documents", "protos"]) {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--frozen", "--quiet"],
    cwd: new URL(`./${folder}`, import.meta.url),
    stdin: "null",
  }).spawn().status;
  if (code === 0) continue;
  console.error(`corpus: the ${folder} could not be installed, see above`);
  Deno.exit(code);
}
