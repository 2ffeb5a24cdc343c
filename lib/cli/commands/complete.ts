/**
 * `bowire complete`: shell completion.
 *
 * @module
 */
import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import type { Session } from "../session.ts";

/** Adds the command that prints completion scripts; call it when all other commands are there. */
export function addCompletionCommand(program: Command, { terminal }: Session): void {
  tab(program);
  const command = program.commands.find((candidate) => candidate.name() === "complete");
  command?.description("Print a completion script for bash, zsh, fish or powershell.");
  // The library prints with console.log, which elsewhere is kept off standard output.
  command?.hook("preAction", () => {
    globalThis.console.log = (line: string) => terminal.print(line);
  });
}
