/**
 * The command line with the protocols of these tests.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { type Finished, runBowire, type StartOptions } from "../fakes/bowire_process.ts";
import { Home } from "../fakes/home.ts";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MAIN = pathOf("main.ts");
/** What Deno reads to start their worker, besides the sources of the program. */
const SOURCES = pathOf(".").replace(/[/\\]$/, "");

/** A home folder, the current one of commands, with schema files in it. */
export async function makeDeskHome(): Promise<Home> {
  const home = await Home.make();
  await Deno.mkdir(home.file("protos/sub"), { recursive: true });
  await home.put("protos/shop.desk", "service Orders\nimport sub/more.desk\n");
  await home.put("protos/sub/more.desk", "service More\n");
  await home.put("lost.desk", "service Lost\nimport nowhere.desk\n");
  return home;
}

/** Runs a command in the home folder. */
export function runDesk(
  home: Home,
  args: readonly string[],
  options: StartOptions = {},
): Promise<Finished> {
  const defaults = { main: MAIN, read: [SOURCES], net: [] };
  return runBowire(home, args, { ...defaults, ...options });
}
