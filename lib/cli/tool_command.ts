/**
 * Command line verbs made from tools, so that the two cannot drift.
 *
 * @module
 */
import { type Command, Option } from "commander";
import { z } from "zod";
import { BowireError } from "../errors/mod.ts";
import { originOf, parseAddress } from "../gate/mod.ts";
import type { HostOptions } from "../host/mod.ts";
import { runTool, type Tool } from "../server/mod.ts";
import { ExitCode, openHost, type Session } from "./session.ts";
import { safe } from "./terminal.ts";

const errorShape = z.object({ message: z.string(), hint: z.string().optional() });

/** How a verb differs from its tool. */
export interface VerbOptions<Data> {
  /** Usage, as commander writes it: `call <method>`. */
  readonly usage: string;
  /** Replaces the tool's description. */
  readonly summary?: string;
  /** Arguments of the tool that are not options of the verb, since `toInput` fills them. */
  readonly without?: readonly string[];
  /** Options of the verb beyond those of the tool. */
  readonly extra?: readonly Option[];
  /** Example command lines for `--help`. */
  readonly examples?: readonly string[];
  /** Exit code when the tool fails. @default 1 */
  readonly failureCode?: number;
  /** Settings of the host for what was typed. */
  hostOptions?(input: VerbInput): HostOptions;
  /** Turns positional arguments and options into arguments of the tool. */
  toInput?(input: VerbInput): Promise<Record<string, unknown>> | Record<string, unknown>;
  /** Shows what the tool returned to a person; not called under `--json`. */
  show(data: Data, session: Session, input: VerbInput): void;
}

/** What was typed after a verb. */
export interface VerbInput {
  readonly positional: readonly string[];
  /** As commander collects them, by camelCase name. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Adds a verb for a tool. */
export function addVerb<Data>(
  parent: Command,
  tool: Tool<Data>,
  session: Session,
  verb: VerbOptions<Data>,
): Command {
  const { description } = tool;
  const command = parent.command(verb.usage).description(verb.summary ?? description.description);
  const names = optionsOf(tool).filter(({ argument }) => !(verb.without ?? []).includes(argument));
  for (const { option } of names) command.addOption(option);
  for (const option of verb.extra ?? []) command.addOption(option);
  if (description.annotations.openWorldHint) command.addOption(allowUrlOption());
  command
    .addOption(new Option("--json", "print the tool's whole result as JSON"))
    .addOption(new Option("--compact", "print JSON on one line"));
  if (verb.examples !== undefined) {
    command.addHelpText(
      "after",
      `\nExamples:\n${verb.examples.map((line) => `  $ ${line}`).join("\n")}`,
    );
  }
  return command.action(async (...received: unknown[]) => {
    const input: VerbInput = {
      // commander appends the options and the command itself
      positional: received.slice(0, -2).filter((value) => typeof value === "string"),
      options: command.opts(),
    };
    session.exitCode = verb.failureCode ?? ExitCode.failed; // until it has worked
    const plain = names.map(({ argument, key }) => [argument, input.options[key]]);
    const args = Object.fromEntries(plain.filter(([, value]) => value !== undefined));
    await runVerb(tool, session, verb, {
      input,
      args: { ...args, ...await verb.toInput?.(input) },
    });
  });
}

function allowUrlOption(): Option {
  return new Option(
    "--allow-url <url>",
    "also let the call go to this URL: redirects, servers of a document (repeatable)",
  ).argParser((url: string, known: string[] = []) => [...known, url]);
}

async function runVerb<Data>(
  tool: Tool<Data>,
  session: Session,
  verb: VerbOptions<Data>,
  { input, args }: { input: VerbInput; args: Record<string, unknown> },
): Promise<void> {
  const { allowUrl, json, compact } = input.options;
  // A URL that is only to be remembered is not to be reached.
  const typed = tool.description.annotations.openWorldHint
    ? [args.url, ...Array.isArray(allowUrl) ? allowUrl : []].flatMap(serverOf)
    : [];
  const host = await openHost(session, typed, verb.hostOptions?.(input));
  const outcome = await runTool(host, tool, {
    name: tool.description.name,
    arguments: args,
    signal: session.signal,
    principal: "command line",
    mayAsk: false,
  });
  if (outcome.kind === "question") throw new Error("a person at the terminal is not asked twice");
  const { data, isError } = outcome;
  if (session.signal.aborted) session.exitCode = ExitCode.interrupted;
  else if (!isError) session.exitCode = ExitCode.ok;
  if (json === true) {
    session.terminal.print(JSON.stringify(data, null, compact === true ? undefined : 2));
  } else if (isError && !("status" in data)) { // a call that failed still has an answer to show
    showError(data.error, session);
  } else verb.show(tool.read(data), session, input);
}

/**
 * A person who types a URL means the server: its other paths are admitted too. What is no URL is
 * left for the tool to refuse.
 */
function serverOf(url: unknown): string[] {
  try {
    const address = parseAddress(String(url ?? ""));
    return [address.port === 0 ? address.url : originOf(address)];
  } catch (error) {
    if (error instanceof BowireError) return [];
    throw error;
  }
}

function showError(error: unknown, { terminal }: Session): void {
  const { message, hint } = errorShape.parse(error);
  terminal.warn(`${terminal.paint("error:", "bad")} ${safe(message)}`);
  if (hint !== undefined) terminal.warn(`  ${safe(hint)}`);
}

/** The plain arguments of a tool as options: strings, numbers and switches. */
function optionsOf(tool: Tool): { argument: string; key: string; option: Option }[] {
  const { properties = {}, required = [] } = tool.description.inputSchema;
  return Object.entries(properties).flatMap(([argument, { type, description }]) => {
    if (argument.startsWith("confirm")) return [];
    const flag = `--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const value = { string: ` <${argument}>`, integer: " <n>", boolean: "" }[String(type)];
    if (value === undefined) return [];
    const option = new Option(flag + value, String(description));
    if (type === "integer") option.argParser(Number);
    if (required.includes(argument)) option.makeOptionMandatory();
    return [{ argument, key: option.attributeName(), option }];
  });
}
