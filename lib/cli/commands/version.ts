/**
 * `bowire version`.
 *
 * @module
 */
import type { Command } from "commander";
import { VERSION } from "../../version.ts";
import type { Session } from "../session.ts";

/** Adds the command that tells the version of Bowire and what it runs on. */
export function addVersionCommand(program: Command, { terminal, plugins }: Session): void {
  program.command("version")
    .description("Print the version of Bowire and what it runs on.")
    .option("--json", "print JSON")
    .option("--plugins", "also list the protocols on board")
    .action((options: { json?: boolean; plugins?: boolean }) => {
      const facts = {
        bowire: VERSION,
        deno: Deno.version.deno,
        v8: Deno.version.v8,
        target: Deno.build.target,
      };
      const protocols = plugins.map(({ manifest: { id, name, description } }) => ({
        id,
        name,
        description,
      }));
      if (options.json === true) {
        terminal.print(
          JSON.stringify(options.plugins === true ? { ...facts, protocols } : facts, null, 2),
        );
        return;
      }
      for (const [name, value] of Object.entries(facts)) {
        terminal.print(`${name.padEnd(8)}${value}`);
      }
      if (options.plugins !== true) return;
      for (const { id, description } of protocols) terminal.print(`${id.padEnd(12)}${description}`);
    });
}
