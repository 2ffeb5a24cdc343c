/**
 * `bowire permissions`.
 *
 * @module
 */
import { type Command, Option } from "commander";
import { checkProcess, type Difference } from "../permissions/check.ts";
import { denoJsonOf, flagsOf, isFlagValue, quoteFlag } from "../permissions/flags.ts";
import { type Needs, needsOf } from "../permissions/needs.ts";
import { declarePlan, planCommand } from "../permissions/plan.ts";
import { ExitCode, hostParts, type Session } from "../session.ts";
import { safe } from "../terminal.ts";

/** What is asked when no command is named. */
const DEFAULT_COMMAND = ["mcp", "serve"];

const HELP = `
COMMAND is any command of bowire with its options, \`mcp serve\` when it is left out. It is read as if
it were to run, and not run. Options of \`permissions\` itself stand in front of it.

Examples:
  $ bowire permissions mcp serve --allow-url https://api.example.com
  $ deno run $(bowire permissions call Pets/list --url http://localhost:8080) main.ts call Pets/list --url http://localhost:8080
  $ bowire permissions --check mcp serve --bind http
  $ bowire permissions --format deno-json mcp serve    # for: deno run -P=bowire

A host and port that is permitted while a server runs is out of its reach until it is started with
new flags. \`call\` may read the current folder, whose files it can send.

--check finds what is granted without a limit; Deno does not tell which hosts or folders are.

Exit codes: 0 it was printed, or nothing is lacking · 1 --check found something lacking, or COMMAND is wrong`;

interface PermissionsOptions {
  readonly check?: boolean;
  readonly format: "flags" | "deno-json";
  readonly json?: boolean;
}

/** A command and what it needs. */
interface Answer {
  readonly command: string;
  readonly needs: Needs;
}

/**
 * Adds the command.
 *
 * @param rebuild makes another program of the same commands, to read COMMAND with.
 */
export function addPermissionsCommand(
  program: Command,
  session: Session,
  rebuild: () => Command,
): void {
  const command = program.command("permissions")
    .description("Print the flags of `deno run` that let a command do its work and no more.")
    .argument("[command...]", "a command of bowire, with its options")
    .passThroughOptions()
    .option("--check", "tell what the running process lacks, and what it has without a limit")
    .addOption(
      new Option("--format <format>", "how the permissions are written")
        .choices(["flags", "deno-json"]).default("flags").conflicts(["check", "json"]),
    )
    .option("--json", "print JSON")
    .addHelpText("after", HELP)
    .action(async (words: string[], options: PermissionsOptions) => {
      const { name, plan } = await planCommand(
        rebuild(),
        words.length === 0 ? DEFAULT_COMMAND : words,
      );
      const needs = await needsOf(plan, () => hostParts(session, "flag"));
      const answer = { command: name, needs };
      if (options.check === true) await showCheck(answer, session, options);
      else if (options.json === true) showJson(answer, session);
      else if (options.format === "deno-json") await showDenoJson(answer, session);
      else await showFlags(answer, session);
    });
  declarePlan(command, () => ({ host: {} }));
}

async function showFlags({ command, needs }: Answer, { terminal }: Session): Promise<void> {
  const flags = flagsOf(needs);
  const words = flags.map((flag) => quoteFlag(flag, terminal.isInteractive));
  terminal.print(words.join(" "));
  const notes = notesOnFlags(needs);
  if (words.some((word) => word.startsWith("'")) && !terminal.isInteractive) {
    notes.push('Quotes are in it: paste it, or write eval "deno run $(bowire permissions …) …".');
  }
  if (terminal.isInteractive) notes.push(`Use it so: deno run FLAGS main.ts ${command} …`);
  await warn(notes, terminal);
}

async function showDenoJson({ command, needs }: Answer, { terminal }: Session): Promise<void> {
  terminal.print(JSON.stringify(denoJsonOf(needs), null, 2));
  await warn([
    ...needs.notes,
    `Use it so: deno run --no-prompt --ignore-env -P=bowire main.ts ${command} …`,
  ], terminal);
}

function showJson({ command, needs }: Answer, { terminal }: Session): void {
  const { net, denyNet, read, write, env, run, unstable } = needs;
  terminal.print(JSON.stringify(
    {
      command,
      flags: flagsOf(needs),
      permissions: { net: net === "all" ? true : net, denyNet, read, write, env, run, sys: [] },
      unstable,
      notes: notesOnFlags(needs),
    },
    null,
    2,
  ));
}

async function showCheck(
  { command, needs }: Answer,
  session: Session,
  { json }: PermissionsOptions,
): Promise<void> {
  const { terminal } = session;
  const difference = await checkProcess(needs);
  if (difference.lacks.length > 0) session.exitCode = ExitCode.failed;
  if (json === true) {
    terminal.print(JSON.stringify({ command, ...difference, notes: needs.notes }, null, 2));
    return;
  }
  for (const line of linesOf(difference, command)) terminal.print(safe(line));
  const isImporting = difference.excess.includes("--allow-import");
  await warn([
    ...needs.notes,
    ...isImporting ? ["Deno counts --cached-only as --allow-import, which then does nothing."] : [],
  ], terminal);
}

function linesOf({ lacks, excess, undenied }: Difference, command: string): string[] {
  return [
    ...lacks.map((flag) => `lacks      ${flag}`),
    ...excess.map((flag) => `in excess  ${flag}`),
    ...undenied.length === 0
      ? []
      : [`in excess  names that lead to ${undenied.join(", ")} (--deny-net)`],
    lacks.length > 0
      ? `This process may not do all of "${command}".`
      : excess.length + undenied.length > 0
      ? `This process may do "${command}", and more than that.`
      : `This process may do "${command}", and nothing else without a limit.`,
  ];
}

function notesOnFlags({ notes, read, write }: Needs): string[] {
  const unsayable = [...new Set([...read, ...write])].filter((path) => !isFlagValue(path));
  return [
    ...notes,
    ...unsayable.map((path) =>
      `Left out "${path}": no flag can hold its comma; --format deno-json can.`
    ),
  ];
}

/** Shows notes, below what was printed. */
async function warn(notes: readonly string[], terminal: Session["terminal"]): Promise<void> {
  await terminal.flush();
  for (const note of notes) terminal.warn(safe(note));
}
