/**
 * A second opinion: the same arguments through `swagger-client`, in a process of its own.
 *
 * @module
 */
import type { Complaint } from "./judge/case.ts";
import type { Judgement } from "./judge/judge.ts";
import { objectAt } from "./judge/raw.ts";
import { compareRequests, type OtherRequest } from "./second/compare.ts";
import { optionsFor, type Origin } from "./second/options.ts";

const FOLDER = new URL("./documents/", import.meta.url);

/** `swagger-client`, running. */
export class SecondOpinion implements AsyncDisposable {
  readonly #child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--allow-read=.", "build_request.mjs"],
    cwd: FOLDER,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  readonly #questions = this.#child.stdin.getWriter();
  readonly #answers = linesOf(this.#child.stdout);

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#questions.close();
    await this.#child.status;
  }

  /** What the other client does otherwise. */
  async compare(judgement: Judgement, origin: Origin): Promise<Complaint[]> {
    const other = await this.#ask(optionsFor(judgement, origin));
    return typeof other === "string"
      ? [{ kind: "second opinion: error", detail: other }]
      : compareRequests(judgement, other);
  }

  async #ask(options: unknown): Promise<OtherRequest | string> {
    await this.#questions.write(new TextEncoder().encode(`${JSON.stringify(options)}\n`));
    const { value } = await this.#answers.next();
    if (value === undefined) throw new Error("swagger-client has ended");
    const { error, url, method, headers, body } = objectAt(JSON.parse(value));
    if (typeof url !== "string" || typeof method !== "string") return String(error);
    return { url, method, headers: objectAt(headers), body };
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
