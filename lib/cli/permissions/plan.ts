/**
 * What a command is about to do, as far as Deno has a say in it, told before it does it.
 *
 * @module
 */
import type { Command } from "commander";
import type { HostOptions } from "../../host/mod.ts";
import type { ListenAddress } from "../serve/listen.ts";

/** What one command line would do. A member that is absent is not done. */
export interface Plan {
  /** The options of the host that it would open. */
  readonly host?: HostOptions;
  /** The URL that it goes out to, where there is no host. */
  readonly parent?: string;
  /** Whether it goes out to what the allowlist of that host admits. */
  readonly dials?: boolean;
  /** Whether it runs plugins, though it may not go out. */
  readonly runsPlugins?: boolean;
  /** Whether it writes in the home folder. */
  readonly isWriting?: boolean;
  /** Where it listens. */
  readonly listens?: readonly ListenAddress[];
  /** Files that were named to be read. */
  readonly files?: readonly string[];
}

/** A command line that was parsed and not run. */
export interface PlannedCommand {
  /** The words of the command, without its arguments, which may be secrets. */
  readonly name: string;
  readonly plan: Plan;
}

const plans = new WeakMap<Command, () => Plan | Promise<Plan>>();

/**
 * Declares what a command would do. Every command that opens a host, listens, or reads a file
 * declares it, from the very values that its action uses.
 *
 * @param plan is asked once the command has its arguments and options.
 */
export function declarePlan(command: Command, plan: () => Plan | Promise<Plan>): void {
  plans.set(command, plan);
}

/**
 * Parses a command line as running it would, refusals included, but runs nothing.
 *
 * @param program a whole program of its own: its actions are taken from it.
 * @throws {CommanderError} for a command line that is wrong or that asks for help; it has been
 * answered then.
 * @throws {BowireError} as the command itself would before it starts.
 */
export async function planCommand(
  program: Command,
  words: readonly string[],
): Promise<PlannedCommand> {
  const planned: PlannedCommand[] = [];
  for (const command of leavesOf(program)) {
    command.action(async () => {
      planned.push({ name: nameOf(command), plan: await plans.get(command)?.() ?? {} });
    });
  }
  await program.parseAsync([...words], { from: "user" });
  const [found] = planned;
  if (found === undefined) throw new Error(`no command was found in "${words.join(" ")}"`);
  return found;
}

function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

/** The words from the program's name, itself not among them, to the command. */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null
    ? command.name()
    : `${nameOf(parent)} ${command.name()}`;
}
