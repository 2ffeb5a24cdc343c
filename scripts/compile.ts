// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Compiles the executable for this system, or for those that are named, into `dist/`.
 *
 * Run: `deno task compile [TARGET…]`, for instance `x86_64-pc-windows-msvc`. Deno fetches the base
 * binary of a target unless `DENORT_BIN` names one.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.ts";

/** What the executable may do; a compiled program cannot ask for more later. */
const PERMISSIONS = [
  "--no-prompt",
  "--ignore-env",
  "--allow-env=BOWIRE_*,HOME,USERPROFILE",
  "--allow-read",
  "--allow-write",
  "--allow-net",
];

const root = fileURLToPath(new URL("..", import.meta.url));
await bundle(`${root}dist/bundle`);
const targets = Deno.args.length > 0 ? Deno.args : [Deno.build.target];
for (const target of targets) {
  const output = `dist/bowire-${target}${target.includes("windows") ? ".exe" : ""}`;
  console.error(`compile: ${output}`);
  // In a folder of its own, without deno.json, so that no npm package is embedded beside the bundle.
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--no-config",
      "--unstable-no-legacy-abort",
      ...PERMISSIONS,
      "--target",
      target,
      "--output",
      `${root}${output}`,
      `${root}dist/bundle/main.js`,
    ],
    stdin: "null",
  }).spawn().status;
  if (!success) Deno.exit(1);
}
