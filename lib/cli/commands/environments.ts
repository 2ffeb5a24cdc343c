/**
 * `bowire env list|get`.
 *
 * @module
 */
import type { Command } from "commander";
import { environmentGet, environmentList } from "../../server/mod.ts";
import type { Session } from "../session.ts";
import { printTable } from "../table.ts";
import { safe } from "../terminal.ts";
import { addVerb } from "../tool_command.ts";

/** Adds the commands around environments. */
export function addEnvironmentCommands(program: Command, session: Session): void {
  const env = program.command("env").description(
    "Show the stored environments. Secrets are masked.",
  );

  addVerb(env, environmentList, session, {
    usage: "list",
    show({ path, environments }, { terminal }) {
      if (Array.isArray(environments) || environments.environments.length === 0) {
        return terminal.print(`No environments are stored in ${path}.`);
      }
      const { activeEnvId } = environments;
      printTable(
        terminal,
        environments.environments.map((
          { id, name },
        ) => [id === activeEnvId ? "*" : " ", id, String(name ?? "")]),
      );
    },
  });

  addVerb(env, environmentGet, session, {
    usage: "get <id>",
    summary: "Show one environment by id or name. Secrets are masked.",
    without: ["id"],
    toInput: ({ positional: [id] }) => ({ id }),
    show({ environment }, { terminal }) {
      terminal.print(safe(JSON.stringify(environment, null, 2)));
    },
  });
}
