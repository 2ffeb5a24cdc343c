/**
 * Programs of this machine that are spoken to by their standard input and output, a message a line.
 *
 * @module
 */
import { BowireError, messageOf } from "../errors/mod.ts";
import { isSecretName, MASK, type Target } from "../gate/mod.ts";
import { readLines } from "../schema/lines.ts";

/** The scheme of a program's address; its host is the name that the operator gave it. */
export const PROGRAM_SCHEME = "stdio";

/** How a program is started. It is never put through a shell. */
export interface ProgramCommand {
  /** A path, or a name that is looked for in `PATH`. */
  readonly command: string;
  /** Its arguments, each as it is. */
  readonly args: readonly string[];
  /** All of its environment. Its values may be secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder that it is started in. @default that of this process */
  readonly cwd?: string | undefined;
}

/** The programs that the operator named. */
export type Programs = Readonly<Record<string, ProgramCommand>>;

/** A program that runs. */
export interface Program {
  /**
   * What it writes to its standard output; ends with it.
   *
   * @throws {BowireError} `too_large` for a line of more than 16 MiB.
   */
  readonly lines: AsyncIterable<string>;
  /** The last lines that it wrote to its standard error, secrets of its environment masked. */
  readonly notes: readonly string[];
  /** @throws {BowireError} `unreachable` when it has ended. */
  write(line: string): Promise<void>;
  /**
   * Closes its input, and ends it by force when it does not end by itself. What it wrote to its
   * standard error is in `notes` then.
   */
  close(): Promise<void>;
}

/** Longest line that is read, in bytes. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;
/** How many lines of its standard error are kept, and how many bytes of each. */
const MAX_NOTES = 20;
const MAX_NOTE_BYTES = 1000;
/** How long it may take to end, after its input is closed and after each signal, in milliseconds. */
const GRACE_MS = 500;

/** Starts a program; see `CallContext.openProgram`. */
export function openProgram(target: Target, programs: Programs): Program {
  const name = target.host;
  const named = Object.hasOwn(programs, name) ? programs[name] : undefined;
  if (target.scheme !== PROGRAM_SCHEME || named === undefined) {
    throw new BowireError("invalid_argument", `cannot start "${name}": it is no known program`, {
      hint: "the operator names programs when Bowire is started",
    });
  }
  const process = start(name, named);
  const writer = process.stdin.getWriter();
  const notes: string[] = [];
  const noted = keepNotes(process.stderr, notes, secretsIn(named.env));
  return {
    notes,
    lines: linesOf(name, process.stdout),
    async write(line) {
      try {
        await writer.write(new TextEncoder().encode(`${line}\n`));
      } catch (cause) {
        throw new BowireError("unreachable", `cannot speak to "${name}": the program has ended`, {
          hint: "what it wrote to standard error may say why",
          retryable: true,
          cause,
        });
      }
    },
    async close() {
      // Not waited for: what the program does not read is never written.
      writer.close().catch(() => {}); // it has ended already
      for (const signal of ["SIGTERM", "SIGKILL"] as const) {
        if (await isOver(process.status)) break;
        kill(process, signal);
      }
      await process.status;
      await isOver(noted); // a program of its own may go on to write there
    },
  };
}

function start(name: string, { command, args, env, cwd }: ProgramCommand) {
  try {
    return new Deno.Command(command, {
      args: [...args],
      clearEnv: true,
      env: { ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      ...(cwd === undefined ? {} : { cwd }),
    }).spawn();
  } catch (cause) {
    if (cause instanceof Deno.errors.NotCapable) {
      throw new BowireError(
        "permission_denied",
        `Deno does not let this process run "${command}"`,
        {
          hint: `start it with --allow-run=${command}`,
          cause,
        },
      );
    }
    throw new BowireError("file_failed", `cannot start "${name}": ${messageOf(cause)}`, {
      hint: "is the command spelled right, and installed?",
      cause,
    });
  }
}

async function* linesOf(
  name: string,
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string> {
  const whole = stream.pipeThrough(refuseLongLines(name));
  for await (const { text } of readLines(whole, MAX_LINE_BYTES)) {
    if (text.trim() !== "") yield text;
  }
}

/** Fails at a line that is too long, before its end comes: it may never come. */
function refuseLongLines(name: string): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      // A chunk is far shorter than a line may be: only the one that it begins in can be too long.
      const first = chunk.indexOf(NEWLINE);
      size += first === -1 ? chunk.byteLength : first;
      if (size > MAX_LINE_BYTES) {
        const message = `"${name}" wrote a line of more than ${MAX_LINE_BYTES} bytes`;
        throw new BowireError("too_large", message);
      }
      if (first !== -1) size = chunk.byteLength - 1 - chunk.lastIndexOf(NEWLINE);
      controller.enqueue(chunk);
    },
  });
}

async function keepNotes(
  stream: ReadableStream<Uint8Array>,
  notes: string[],
  secrets: readonly string[],
): Promise<void> {
  for await (const { text } of readLines(stream, MAX_NOTE_BYTES)) {
    if (text.trim() === "") continue;
    notes.push(secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text));
    if (notes.length > MAX_NOTES) notes.shift();
  }
}

/** Values of an environment that a program must not be heard to tell; short ones are no secrets. */
function secretsIn(env: ProgramCommand["env"]): string[] {
  return Object.entries(env).filter(([name, value]) => isSecretName(name) && value.length > 3)
    .map(([, value]) => value);
}

/** True when something is over within the time that it is given. */
async function isOver(ending: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), GRACE_MS);
  const ended = await Promise.race([ending.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}

function kill(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    process.kill(signal);
  } catch { /* it has ended in the meantime */ }
}
