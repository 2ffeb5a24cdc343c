/**
 * The home folder: where Bowire remembers, shared with the .NET Bowire.
 *
 * @module
 */
import { join } from "node:path";
import { BowireError } from "../errors/mod.ts";

/**
 * Finds the home folder: `BOWIRE_DATA_DIR`, else `.bowire` in the user's profile.
 *
 * @param readVariable looks up an environment variable.
 * @throws {BowireError} `usage` when no variable names a profile.
 */
export function resolveHome(readVariable: (name: string) => string | undefined): string {
  const chosen = readVariable("BOWIRE_DATA_DIR");
  if (chosen !== undefined && chosen !== "") return chosen;
  const profile = readVariable("HOME") || readVariable("USERPROFILE");
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
