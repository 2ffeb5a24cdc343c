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

/**
 * The command line that is to be completed. What stands behind `permissions` is a command line of
 * its own.
 */
export function completed(args: readonly string[]): readonly string[] {
  const [verb, dashes, command, ...words] = args;
  if (verb !== "complete" || dashes !== "--" || command !== "permissions") return args;
  const start = words.findIndex((word, index) =>
    !word.startsWith("-") && words[index - 1] !== "--format"
  );
  return start < 0 ? args : [verb, dashes, ...words.slice(start)];
}
