/**
 * Command line verbs made from tools, so that the two cannot drift.
 *
 * @module
 */
import { type Command, Option } from "commander";
import * as z from "zod";
import { parseAddress } from "../gate/mod.ts";
import type { Host, HostOptions } from "../host/mod.ts";
import type { Progress } from "../model/mod.ts";
import { cleanText } from "../schema/mod.ts";
import { runTool, type Tool } from "../server/mod.ts";
import { sandboxIn, sandboxOption } from "./options.ts";
import { declarePlan } from "./permissions/plan.ts";
import { connectionFiles } from "./reach/connection.ts";
import { makeReady, type Reach, reachOf, reachOptions } from "./reach/reach.ts";
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
  /** Whether the tool runs plugins though it does not reach out. @default false */
  readonly runsPlugins?: boolean;
  /** Exit code when the tool fails. @default 1 */
  readonly failureCode?: number;
  /** Settings of the host for what was typed. */
  hostOptions?(input: VerbInput): HostOptions;
  /** Turns positional arguments and options into arguments of the tool. */
  toInput?(input: VerbInput): Record<string, unknown>;
  /** Files that {@linkcode VerbOptions.readInput} reads. */
  filesOf?(input: VerbInput): readonly string[];
  /** Arguments of the tool that are read from a file or from standard input. */
  readInput?(input: VerbInput): Promise<Record<string, unknown>>;
  /**
   * Does the work in place of the tool, if the options ask for that. It shows what comes, and sets
   * the exit code, which is that of a failure until then.
   */
  standIn?(input: VerbInput): StandIn | undefined;
  /** Shows what the tool returned to a person; not called under `--json`. */
  show(data: Data, session: Session, input: VerbInput): void;
}

/** Does the work of a verb on a host, with the arguments that the tool would get. */
export type StandIn = (host: Host, args: Readonly<Record<string, unknown>>) => Promise<void>;

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
  const { openWorldHint } = description.annotations;
  const names = optionsOf(tool, openWorldHint).filter(({ argument }) =>
    !(verb.without ?? []).includes(argument)
  );
  for (const { option } of names) command.addOption(option);
  for (const option of verb.extra ?? []) command.addOption(option);
  const { runsPlugins = false } = verb;
  const reaching = openWorldHint ? reachOptions() : runsPlugins ? [sandboxOption()] : [];
  for (const option of reaching) command.addOption(option);
  command
    .addOption(new Option("--json", "print the tool's whole result as JSON"))
    .addOption(new Option("--compact", "print JSON on one line"));
  if (verb.examples !== undefined) {
    command.addHelpText(
      "after",
      `\nExamples:\n${verb.examples.map((line) => `  $ ${line}`).join("\n")}`,
    );
  }
  const read = async (): Promise<ReadVerb> => {
    const input: VerbInput = { positional: command.args, options: command.opts() };
    const plain = names.map(({ argument, key }) => [argument, input.options[key]]);
    const given = Object.fromEntries(plain.filter(([, value]) => value !== undefined));
    const args = { ...given, ...verb.toInput?.(input) };
    const reach = openWorldHint ? await reachOf(input.options, String(args.url ?? "")) : undefined;
    const url = reach === undefined ? {} : { url: reach.url };
    return {
      input,
      args: { ...args, ...url },
      hostOptions: hostOptionsOf(verb, input, reach),
      reach,
    };
  };
  declarePlan(command, async () => {
    const { input, hostOptions: host, reach } = await read();
    if (reach !== undefined) parseAddress(reach.url); // as the tool would, to refuse it
    const files = [
      ...verb.filesOf?.(input) ?? [],
      ...reach === undefined ? [] : connectionFiles(reach.connection),
    ];
    const isWriting = tool.access === "change";
    return { host, files, dials: openWorldHint, runsPlugins, isWriting };
  });
  return command.action(async () => {
    session.exitCode = verb.failureCode ?? ExitCode.failed; // until it has worked
    await runVerb(tool, session, verb, await read());
  });
}

/** A verb whose command line has been read. */
interface ReadVerb {
  readonly input: VerbInput;
  /** Arguments of the tool, without those that are still to be read. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly hostOptions: HostOptions;
  readonly reach: Reach | undefined;
}

function hostOptionsOf<Data>(
  verb: VerbOptions<Data>,
  input: VerbInput,
  reach: Reach | undefined,
): HostOptions {
  const { allowedFileFolders = [], ...own } = verb.hostOptions?.(input) ?? {};
  return {
    allowedServerUrls: reach?.allowedUrls ?? [], // what is only to be remembered is not reached
    programs: reach?.programs ?? {},
    sandbox: sandboxIn(input.options),
    ...own,
    allowedFileFolders: [...allowedFileFolders, ...reach?.schemas.folders ?? []],
  };
}

async function runVerb<Data>(
  tool: Tool<Data>,
  session: Session,
  verb: VerbOptions<Data>,
  { input, args: typed, hostOptions, reach }: ReadVerb,
): Promise<void> {
  const { json, compact } = input.options;
  await using host = await openHost(session, hostOptions);
  const args = {
    ...typed,
    ...await verb.readInput?.(input),
    ...reach === undefined ? {} : await makeReady(host, typed, { reach, session }),
  };
  const standIn = verb.standIn?.(input);
  if (standIn !== undefined) return await standIn(host, args);
  const outcome = await runTool(host, tool, {
    name: tool.description.name,
    arguments: args,
    signal: session.signal,
    principal: "command line",
    mayAsk: false,
    report: session.terminal.isInteractive ? (step) => showProgress(step, session) : undefined,
  });
  if (outcome.kind === "question") throw new Error("a person at the terminal is not asked twice");
  const { data, isError } = outcome;
  if (session.signal.aborted) session.exitCode = ExitCode.interrupted;
  else if (!isError) session.exitCode = ExitCode.ok;
  if (json === true) {
    const text = JSON.stringify(data, null, compact === true ? undefined : 2);
    session.terminal.print(session.terminal.isInteractive ? safe(text) : text);
  } else if (isError && !("status" in data)) { // a call that failed still has an answer to show
    showError(data.error, session);
  } else verb.show(tool.read(data), session, input);
}

function showProgress({ done, total, message }: Progress, { terminal }: Session): void {
  const share = total === undefined ? `${done}` : `${done} of ${total}`;
  const text = message === undefined ? share : `${share}: ${cleanText(message, 200)}`;
  terminal.warn(terminal.paint(safe(text), "faint"));
}

/** Shows the failure of a tool. */
export function showError(error: unknown, { terminal }: Session): void {
  const { message, hint } = errorShape.parse(error);
  terminal.warn(`${terminal.paint("error:", "bad")} ${safe(message)}`);
  if (hint !== undefined) terminal.warn(`  ${safe(hint)}`);
}

/**
 * The plain arguments of a tool as options: strings, numbers and switches.
 *
 * @param isReaching whether something else may stand for a URL, which is told when all is read.
 */
function optionsOf(
  tool: Tool,
  isReaching: boolean,
): { argument: string; key: string; option: Option }[] {
  const { properties = {}, required = [] } = tool.description.inputSchema;
  return Object.entries(properties).flatMap(([argument, { type, description }]) => {
    if (argument.startsWith("confirm")) return [];
    const flag = `--${argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    const value = { string: ` <${argument}>`, integer: " <n>", boolean: "" }[String(type)];
    if (value === undefined) return [];
    const option = new Option(flag + value, String(description));
    if (type === "integer") option.argParser(Number);
    const isNeeded = required.includes(argument) && !(isReaching && argument === "url");
    if (isNeeded) option.makeOptionMandatory();
    return [{ argument, key: option.attributeName(), option }];
  });
}
