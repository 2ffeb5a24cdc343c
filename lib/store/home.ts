/**
 * The home folder: where Bowire remembers, shared with the .NET Bowire.
 *
 * @module
 */
import { join } from "node:path";
import { BowireError } from "../errors/mod.ts";

/** An environment variable, or `undefined` when it is not set or may not be read. */
export function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/**
 * The variables that a program of this machine is started with, where they may be read: no more than
 * it takes to find itself and its files, since others may hold secrets.
 */
export function programVariables(isWindows = Deno.build.os === "windows"): readonly string[] {
  return isWindows ? WINDOWS_VARIABLES : UNIX_VARIABLES;
}

const UNIX_VARIABLES = "HOME LANG LOGNAME PATH SHELL TERM TMPDIR USER".split(" ");
const WINDOWS_VARIABLES =
  ("APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE " +
    "PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE").split(" ");

/** The environment of a program, `own` above what every program gets. */
export function programEnvironment(own: Readonly<Record<string, string>>): Record<string, string> {
  const given = programVariables().flatMap((name) => {
    const value = readVariable(name);
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(given), ...own };
}

/**
 * Finds the home folder: `BOWIRE_DATA_DIR`, else `.bowire` in the user's profile.
 *
 * @param read looks up an environment variable.
 * @throws {BowireError} `usage` when no variable names a profile.
 */
export function resolveHome(read = readVariable): string {
  const chosen = read("BOWIRE_DATA_DIR");
  if (chosen !== undefined && chosen !== "") return chosen;
  const profile = read("HOME") || read("USERPROFILE");
  if (profile === undefined || profile === "") {
    throw new BowireError(
      "usage",
      "cannot find the home folder: neither HOME nor USERPROFILE is set",
      {
        hint:
          "set BOWIRE_DATA_DIR to a folder, and let Deno read the variable (--allow-env=BOWIRE_DATA_DIR)",
      },
    );
  }
  return join(profile, ".bowire");
}
