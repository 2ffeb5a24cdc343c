/**
 * The command line: arguments in, exit code out.
 *
 * @module
 */
import { type Command, CommanderError } from "commander";
import { BowireError, toErrorText } from "../errors/mod.ts";
import type { Plugin } from "../protocol/mod.ts";
import { VERSION } from "../version.ts";
import { completed } from "./commands/complete.ts";
import { addCommands } from "./commands/mod.ts";
import { configureLog } from "./log.ts";
import { Program } from "./reach/one_dash.ts";
import { ExitCode, type Session } from "./session.ts";
import { safe, Terminal } from "./terminal.ts";

/** What the process hands to its command line. */
export interface CliParts {
  readonly stdout: WritableStream<Uint8Array>;
  readonly isTerminal: boolean;
  readonly plugins: readonly Plugin[];
  /** The module that runs the same plugins in a worker. */
  readonly worker?: URL | undefined;
}

const EXIT_CODES = `
Exit codes:
  0    it worked
  1    nothing was found, no message came, it was refused, something is lacking, or the options are wrong
  2    call: the target answered with an error, or could not be called
  130  interrupted (0 for a stream that had messages)`;

/** How soon a second signal is taken for the first, in milliseconds. */
const ECHO_MS = 300;

/** Runs one command line. Never throws. */
export async function runCli(args: readonly string[], parts: CliParts): Promise<number> {
  const terminal = new Terminal(parts.stdout, parts.isTerminal);
  const interrupt = new AbortController();
  const session: Session = {
    terminal,
    plugins: parts.plugins,
    worker: parts.worker,
    signal: interrupt.signal,
    exitCode: ExitCode.ok,
  };
  heedSignals(session, interrupt);
  configureLog((line) => terminal.warn(line));
  try {
    await buildProgram(session).parseAsync([...completed(args)], { from: "user" }).finally(() =>
      terminal.flush()
    );
  } catch (error) {
    session.exitCode = report(error, session);
  }
  return session.exitCode;
}

/** The first signal ends what runs in good order, another one at once. */
function heedSignals(session: Session, interrupt: AbortController): void {
  let firstMs = Infinity;
  const heed = (signal: Deno.Signal) =>
    Deno.addSignalListener(signal, () => {
      // What runs this program may hand on the signal that the terminal sends to both.
      if (performance.now() - firstMs > ECHO_MS) Deno.exit(ExitCode.interrupted);
      if (interrupt.signal.aborted) return;
      firstMs = performance.now();
      session.stopSignal = signal;
      interrupt.abort();
    });
  heed("SIGINT");
  if (Deno.build.os !== "windows") heed("SIGTERM");
}

/** The whole tree of commands. */
export function buildProgram(session: Session): Command {
  const program = new Program("bowire")
    .description("Explore and call APIs, and let agents do so over the Model Context Protocol.")
    .version(`bowire ${VERSION}`, "--version", "print the version")
    .showHelpAfterError("(add --help for usage)")
    .configureOutput({
      writeOut: (text) => session.terminal.print(text.trimEnd()),
      writeErr: (text) => session.terminal.warn(text.trimEnd()),
    })
    .enablePositionalOptions() // those behind `permissions COMMAND` belong to COMMAND
    .exitOverride()
    .addHelpText("after", EXIT_CODES);
  addCommands(program, session, () => buildProgram(session));
  return program;
}

function report(error: unknown, session: Session): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.ok : ExitCode.failed;
  if (session.signal.aborted) return ExitCode.interrupted;
  const { terminal } = session;
  terminal.warn(`${terminal.paint("error:", "bad")} ${safe(toErrorText(error))}`);
  if (!(error instanceof BowireError)) {
    terminal.warn(String(error instanceof Error ? error.stack : error));
  }
  return session.exitCode === ExitCode.ok ? ExitCode.failed : session.exitCode;
}
