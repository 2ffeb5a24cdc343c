// deno-lint-ignore-file no-console -- a script speaks on the terminal
/**
 * Visits servers that nobody here wrote, through Bowire, and checks what comes of it. They are
 * too large for the gate, or come as packages of the system; one that is not there is skipped.
 *
 * Run: `deno task foreign [--install] [--require] [NAME...]`, of one or more servers: `powerdns`,
 * `restate`, `etcd`, `playwright`, `toolbox`, `azure`.
 *
 * With `--install`, root gets the missing Debian packages; the system may start their services.
 * With `--require`, a server that is skipped counts as a failure.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { LARGE_PROGRAMS } from "../large_peers.ts";
import { PROGRAMS } from "../peers.ts";
import { azureTour } from "./azure.ts";
import { etcdTour } from "./etcd.ts";
import { playwrightTour } from "./playwright.ts";
import { powerDnsTour } from "./powerdns.ts";
import { restateTour } from "./restate.ts";
import { toolboxTour } from "./toolbox.ts";
import { Tally, type Tour } from "./visit.ts";

const TOURS: readonly Tour[] = [
  powerDnsTour,
  restateTour,
  etcdTour,
  playwrightTour,
  toolboxTour,
  azureTour,
];

async function firstMissing(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    try {
      await Deno.stat(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return path;
      throw error;
    }
  }
  return undefined;
}

/** Runs a program with this terminal; when it fails, what it should have installed is missing. */
async function run(command: string, args: readonly string[], cwd = PROGRAMS): Promise<void> {
  try {
    await new Deno.Command(command, { args: [...args], cwd, stdin: "null" }).spawn().status;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    console.error(`foreign: there is no program "${command}"`);
  }
}

/** The folder whose `package.json` has a file; of the system's files there is none. */
function npmFolderOf(path: string): string | undefined {
  return [LARGE_PROGRAMS, PROGRAMS].find((folder) => path.startsWith(`${folder}/node_modules/`));
}

/** Installs what a tour needs; of the system only if it may. */
async function install({ needs, packages }: Tour, mayInstall: boolean): Promise<void> {
  for (const [folder, paths] of Map.groupBy(needs, npmFolderOf)) {
    if (await firstMissing(paths) === undefined) continue;
    if (folder !== undefined) {
      await run(Deno.execPath(), ["install", "--frozen", "--quiet"], folder);
    } else if (mayInstall) {
      await run("apt-get", ["update", "-qq"]);
      await run("apt-get", ["install", "-qq", "--no-install-recommends", ...packages]);
    }
  }
}

/** @returns whether it was visited. */
async function visit(tour: Tour, tally: Tally, mayInstall: boolean): Promise<boolean> {
  await install(tour, mayInstall);
  const missing = await firstMissing(tour.needs);
  if (missing === undefined) {
    await tally.visit(tour);
    return true;
  }
  const remedy = npmFolderOf(missing) === undefined
    ? `apt-get install ${tour.packages.join(" ")}, or --install`
    : "npm has it for Linux on x86-64 only";
  console.log(`${tour.name}\n  skipped, "${missing}" is missing: ${remedy}`);
  return false;
}

/** The exit code. */
async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { install: { type: "boolean" }, require: { type: "boolean" } },
    allowPositionals: true,
  });
  const nameOf = ({ name }: Tour) => name.toLowerCase();
  const unknown = positionals.find((name) => !TOURS.map(nameOf).includes(name));
  if (unknown !== undefined) {
    const known = TOURS.map(nameOf).join(", ");
    console.error(`foreign: there is no server "${unknown}"; there are ${known}`);
    return 2;
  }
  const tours = TOURS.filter((tour) =>
    positionals.length === 0 || positionals.includes(nameOf(tour))
  );
  const tally = new Tally(signal);
  let skipped = 0;
  for (const tour of tours) {
    if (!await visit(tour, tally, values.install === true)) skipped++;
  }
  const note = skipped === 0 ? "" : `; ${skipped} of ${tours.length} servers skipped`;
  console.log(`${tally.operations} operations, ${tally.failed} failed${note}`);
  return tally.failed > 0 || values.require === true && skipped > 0 ? 1 : 0;
}

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(name, () => interrupted.abort(new Error(`ended by ${name}`)));
}
try {
  Deno.exitCode = await main(interrupted.signal);
} catch (error) {
  if (!interrupted.signal.aborted) throw error;
  console.error(`foreign: ${interrupted.signal.reason.message}`);
  Deno.exitCode = 130;
}
// The listeners of signals would keep it running.
Deno.exit();
