/**
 * The program that judges: buf, which stands on the protobuf library of Go.
 *
 * @module
 */

/** What a run gave: its output, or its complaint. */
export type BufResult =
  | { readonly bytes: Uint8Array }
  | { readonly complaint: string };

/** The formats of messages. */
export type Format = "json" | "binpb";

/** One installed buf. */
export class Buf {
  readonly #program: string;

  /** The path of the program. */
  constructor(program: string) {
    this.#program = program;
  }

  /**
   * Writes an image of descriptors.
   *
   * @throws {Error} with what buf says when it does not.
   */
  async buildImage(args: readonly string[], path: string): Promise<void> {
    const result = await this.#run(["build", ...args, "--exclude-source-info", "-o", path]);
    if ("complaint" in result) throw new Error(`buf build failed: ${result.complaint}`);
  }

  /** Converts one message. */
  convert(
    message: Uint8Array,
    { image, type, from, to }: {
      readonly image: string;
      readonly type: string;
      readonly from: Format;
      readonly to: Format;
    },
  ): Promise<BufResult> {
    const formats = [`--from=-#format=${from}`, `--to=-#format=${to}`];
    return this.#run(["convert", image, "--type", type, ...formats], message);
  }

  async #run(args: readonly string[], input: Uint8Array = new Uint8Array()): Promise<BufResult> {
    const process = new Deno.Command(this.#program, {
      args: [...args],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = process.stdin.getWriter();
    // Where buf does not read to the end, its complaint says why.
    const written = writer.write(input).then(() => writer.close()).catch(() => undefined);
    const { success, stdout, stderr } = await process.output();
    await written;
    if (success) return { bytes: stdout };
    return { complaint: new TextDecoder().decode(stderr).trim() };
  }
}
