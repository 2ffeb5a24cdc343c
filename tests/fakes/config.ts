/**
 * Another configuration for the program than its own.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import type { Home } from "./home.ts";

/** The program's own configuration. */
const OWN = new URL("../../deno.json", import.meta.url);

/** Writes a `deno.json` with the program's packages and what else is given; tells its path. */
export async function putConfig(home: Home, members: Record<string, unknown>): Promise<string> {
  const { imports, nodeModulesDir } = JSON.parse(await Deno.readTextFile(OWN));
  const lock = { path: fileURLToPath(new URL("deno.lock", OWN)), frozen: true };
  return await home.put("deno.json", { imports, nodeModulesDir, lock, ...members });
}
