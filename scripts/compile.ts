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
import { programVariables } from "../lib/store/mod.ts";
import { bundle } from "./bundle.ts";

/** What the executable may do; a compiled program cannot ask for more later. */
function permissionsFor(target: string): string[] {
  const variables = programVariables(target.includes("windows"));
  return [
    "--no-prompt",
    "--ignore-env",
    `--allow-env=${[...new Set(["BOWIRE_*", "HOME", "USERPROFILE", ...variables])].join()}`,
    "--allow-read",
    "--allow-write",
    "--allow-net",
    "--allow-run", // of the programs that its operator names; plugins may run none
  ];
}

/** Where an executable comes from and goes to. */
export interface CompileOptions {
  /** The folder that `bundle` has written, and nobody else. */
  readonly bundled: string;
  /** The folder of the executable. */
  readonly output: string;
  /** The binary to build upon. @default the one that `DENORT_BIN` names, else Deno's own */
  readonly base?: string;
}

/**
 * Compiles the executable for one target.
 *
 * @returns its path.
 * @throws {Error} when Deno cannot, or embeds anything but the whole bundle.
 */
export async function compile(
  target: string,
  { bundled, output, base }: CompileOptions,
): Promise<string> {
  const path = `${output}/bowire-${target}${target.includes("windows") ? ".exe" : ""}`;
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "compile",
      "--no-config", // or all npm packages of the lock file would be embedded beside the bundle
      "--unstable-no-legacy-abort",
      "--unstable-worker-options",
      ...permissionsFor(target),
      "--target",
      target,
      "--include",
      `${bundled}/plugins/worker.js`,
      "--output",
      path,
      `${bundled}/main.js`,
    ],
    env: { NO_COLOR: "1", ...(base === undefined ? {} : { DENORT_BIN: base }) },
    stdin: "null",
  }).output();
  const said = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`deno compile failed for ${target}: ${said}`);
  const [embedded, wanted] = [embeddedIn(said), await partsOf(bundled)];
  if (embedded.sort().join() !== wanted.sort().join()) {
    throw new Error(`the executable for ${target} must embed ${wanted.join(", ")}: ${said}`);
  }
  return path;
}

/** What Deno prints as embedded; a folder that is embedded with all that it has ends in `/*`. */
function embeddedIn(said: string): string[] {
  const lines = said.matchAll(/^([├└│].*?)(?: \([^()]*\))?$/gm);
  return [...lines].map(([, line = ""]) => line.replace(/^[├└]── /, ""));
}

/** What a folder holds, as Deno prints it. */
function partsOf(folder: string): Promise<string[]> {
  return Array.fromAsync(
    Deno.readDir(folder),
    ({ name, isDirectory }) => isDirectory ? `${name}/*` : name,
  );
}

if (import.meta.main) {
  const output = fileURLToPath(new URL("../dist", import.meta.url));
  const bundled = `${output}/bundle`;
  await Deno.mkdir(bundled, { recursive: true });
  await Deno.remove(bundled, { recursive: true }); // what a former run left would be embedded
  await bundle(bundled);
  for (const target of Deno.args.length > 0 ? Deno.args : [Deno.build.target]) {
    console.error(`compile: ${await compile(target, { bundled, output })}`);
  }
}
