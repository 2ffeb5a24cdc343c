// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Installs the foreign programs that the tests talk to into
 * `tests/peers/programs/node_modules`, at the versions and checksums of the lock file there. No
 * install script of a package is run. When all is there it takes some milliseconds and needs no
 * network.
 *
 * Run: `deno run --allow-run scripts/peers.ts`
 *
 * @module
 */

const started = performance.now();
if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
  console.error("peers: skipped, they are built for Linux on x86-64 only");
} else {
  console.error("peers: installing tests/peers/programs");
  // `--allow-run=deno` would not do: under npx the running binary is not the `deno` of the PATH.
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--frozen", "--quiet"],
    cwd: new URL("../tests/peers/programs", import.meta.url),
    stdin: "null",
  }).spawn().status;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.error(code === 0 ? `peers: ready after ${seconds} s` : `peers: failed, see above`);
  Deno.exitCode = code;
}
