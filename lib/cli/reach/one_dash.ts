/**
 * Commands that also take some long options with one dash, as grpcurl writes them.
 *
 * @module
 */
import { Command, type Option, type ParseOptionsResult } from "commander";

const ONE_DASH =
  /^-(plaintext|insecure|authority|cacert|cert|key|proto|protoset|import-path)(?==|$)/;

/** A command of bowire. */
export class Program extends Command {
  override createCommand(name?: string): Program {
    return new Program(name);
  }

  override parseOptions(words: string[]): ParseOptionsResult {
    return super.parseOptions(lengthen(words, this.options));
  }
}

/** Gives options of a command their second dash; values of options stay as they are. */
function lengthen(words: readonly string[], options: readonly Option[]): string[] {
  let isOver = false;
  let isValue = false;
  return words.map((word) => {
    if (isOver || isValue) {
      isValue = false;
      return word;
    }
    isOver = word === "--";
    const long = ONE_DASH.exec(word)?.[1];
    const isShort = long !== undefined && options.some((option) => option.long === `--${long}`);
    const full = isShort ? `-${word}` : word;
    isValue = options.some((option) =>
      option.required && (option.long === full || option.short === full)
    );
    return full;
  });
}
