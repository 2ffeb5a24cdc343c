// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Compiles the executable for every target that is released, and looks at what is embedded. The
 * bases are stand-ins: Deno itself for those systems, from npm, at the versions and checksums of the
 * lock file in `programs`. What comes out has the right content, but does not run as Bowire.
 *
 * Run: `deno task compile:check`
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { bundle } from "../bundle.ts";
import { compile } from "../compile.ts";

/** The package of each target's Deno, and the binary in it. */
const BASES = {
  "x86_64-unknown-linux-gnu": "linux-x64-glibc/deno",
  "aarch64-unknown-linux-gnu": "linux-arm64-glibc/deno",
  "x86_64-apple-darwin": "darwin-x64/deno",
  "aarch64-apple-darwin": "darwin-arm64/deno",
  "x86_64-pc-windows-msvc": "win32-x64/deno.exe",
};
const PROGRAMS = fileURLToPath(new URL("./programs", import.meta.url));

/** @throws {Error} when they cannot be fetched; Deno has said why on standard error. */
async function installBases(): Promise<void> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--frozen", "--quiet"],
    cwd: PROGRAMS,
    stdin: "null",
  }).spawn().status;
  if (!success) throw new Error("the bases could not be installed");
}

await installBases();
const folder = await Deno.makeTempDir();
try {
  const bundled = `${folder}/bundle`;
  await bundle(bundled);
  for (const [target, file] of Object.entries(BASES)) {
    const base = `${PROGRAMS}/node_modules/@deno/${file}`;
    const path = await compile(target, { bundled, output: folder, base });
    const { size } = await Deno.stat(path);
    console.log(`${target.padEnd(28)}${(size / 1e6).toFixed(1).padStart(6)} MB`);
    await Deno.remove(path);
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
