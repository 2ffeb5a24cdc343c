/**
 * `bowire call --stream`: prints each frame when it comes.
 *
 * @module
 */
import { InvalidArgumentError, Option } from "commander";
import * as z from "zod";
import { BowireError, toErrorData } from "../../../errors/mod.ts";
import type { Host } from "../../../host/mod.ts";
import type { Frame } from "../../../model/mod.ts";
import {
  CALL_SLACK_MS,
  callArguments,
  invokeTool,
  readStream,
  requestOf,
  type StreamReader,
  type StreamReading,
  textOf,
  viewEnd,
} from "../../../server/mod.ts";
import { ExitCode, type Session } from "../../session.ts";
import { safe } from "../../terminal.ts";
import type { VerbInput } from "../../tool_command.ts";
import { layOut } from "./lay_out.ts";

const argumentsShape = z.object({ ...callArguments, timeoutMs: z.number().optional() });

const styleShape = z.object({ json: z.boolean().optional(), compact: z.boolean().optional() });

const limitsShape = z.object({
  duration: z.number().optional(),
  maxFrames: z.number().optional(),
  halfClose: z.boolean().optional(),
});

/** The options of a call that is answered by a stream. */
export function streamOptions(): Option[] {
  return [
    new Option("--stream", "print each message of a stream when it comes, until it ends or Ctrl+C"),
    new Option("--duration <ms>", "stop after so many milliseconds; implies --stream")
      .argParser(toCount).implies({ stream: true }),
    new Option("--max-frames <n>", "stop after so many messages; implies --stream")
      .argParser(toCount).implies({ stream: true }),
    new Option(
      "--half-close",
      "end a duplex request after the last message given; implies --stream",
    ).implies({ stream: true }),
  ];
}

/**
 * Makes a call, prints the frames of its answer, and sets the exit code.
 *
 * @param args those of `bowire.invoke`.
 * @throws {BowireError} when the call fails before its first frame, unless JSON tells of it.
 */
export async function streamCall(
  host: Host,
  args: Readonly<Record<string, unknown>>,
  { session, input }: { session: Session; input: VerbInput },
): Promise<void> {
  const { duration, maxFrames, halfClose = false } = limitsShape.parse(input.options);
  const given = argumentsShape.parse(invokeTool.prepare(args).args);
  const request = {
    ...requestOf(given),
    timeoutMs: given.timeoutMs ?? (duration ?? Infinity) + CALL_SLACK_MS,
    keepsOpen: !halfClose,
  };
  const printer = new StreamPrinter(session, styleShape.parse(input.options));
  try {
    const reading = await readStream(
      (stop) => host.caller.subscribe(request, stop),
      { windowMs: duration, maxFrames },
      printer,
    );
    await printer.printEnd(reading);
  } catch (error) {
    if (printer.signal.aborted) printer.finish();
    else if (error instanceof BowireError && await printer.printFailure(error)) return;
    else throw error;
  }
}

/** Prints what comes of a stream. */
class StreamPrinter implements StreamReader {
  readonly #session: Session;
  readonly #isJson: boolean;
  readonly #isCompact: boolean;
  readonly #unread = new AbortController();
  #frameCount = 0;
  /** Aborts on Ctrl+C, and when nobody reads what is printed. */
  readonly signal: AbortSignal;

  constructor(session: Session, { json = false, compact = false }: z.output<typeof styleShape>) {
    this.#session = session;
    this.#isJson = json;
    this.#isCompact = compact || !session.terminal.isInteractive;
    this.signal = AbortSignal.any([session.signal, this.#unread.signal]);
  }

  async take(frame: Frame): Promise<void> {
    this.#frameCount++;
    const { data, dataBinary, atMs } = frame;
    await this.#print(
      this.#isJson
        ? JSON.stringify({ atMs: Math.round(atMs), data, dataBinary })
        : layOut(textOf(frame), this.#session.terminal, this.#isCompact),
    );
  }

  async printEnd(reading: StreamReading): Promise<void> {
    const { stoppedBecause, frameCount, elapsedMs } = reading;
    const end = viewEnd(reading);
    if (this.#isJson) {
      await this.#print(JSON.stringify({ ...end, frameCount, stoppedBecause, elapsedMs }));
    }
    if (end.error === undefined) return this.finish();
    const { terminal } = this.#session;
    terminal.warn(`${terminal.paint("error:", "bad")} ${safe(end.error.message)}`);
    for (const text of [end.response, end.error.hint]) {
      if (text !== undefined) terminal.warn(`  ${safe(text)}`);
    }
    this.#session.exitCode = ExitCode.protocolError;
  }

  /** Tells of a call that had no frames, where that is JSON; false where it is not. */
  async printFailure(error: BowireError): Promise<boolean> {
    if (this.#isJson) await this.#print(JSON.stringify({ error: toErrorData(error) }));
    return this.#isJson;
  }

  /** Sets the exit code of a stream that did not fail. */
  finish(): void {
    const { terminal } = this.#session;
    if (this.#frameCount === 0) terminal.warn("no frames came");
    this.#session.exitCode = this.#frameCount === 0 ? ExitCode.failed : ExitCode.ok;
  }

  async #print(line: string): Promise<void> {
    const { terminal } = this.#session;
    terminal.print(terminal.isInteractive ? safe(line) : line);
    if (!await terminal.flush()) this.#unread.abort();
  }
}

function toCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("write a whole number above 0.");
}
