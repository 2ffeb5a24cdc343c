/**
 * One unary call by reflection, from the start of a process to its end.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { CALL } from "./harbour.ts";

const ROUNDS = 15;
const BUF = fileURLToPath(
  new URL("../../../tests/peers/programs/node_modules/.bin/buf", import.meta.url),
);

/** A program and what its runs took, in milliseconds. */
export interface OneShot {
  readonly label: string;
  readonly runsMs: readonly number[];
}

/** What runs. */
interface Candidate {
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Measures them in turns; `buf` is the first.
 *
 * @param program the arguments of `deno` up to those of Bowire.
 * @param home Bowire's.
 */
export async function measureOneShots(
  url: string,
  { program, home }: { program: readonly string[]; home: string },
): Promise<OneShot[]> {
  const { service, method, body } = CALL;
  const call = ["call", `${service}/${method}`, "--url", `grpc@${url}`, "--data", body];
  const deno = { command: Deno.execPath() };
  const candidates: Candidate[] = [
    {
      label: "buf curl",
      command: await nativeBuf(),
      args: [
        "curl",
        "--protocol=grpc",
        "--http2-prior-knowledge",
        `--data=${body}`,
        `${url}/${service}/${method}`,
      ],
    },
    { label: "bowire call, worker", ...deno, args: [...program, ...call, "--sandbox", "worker"] },
    { label: "bowire call, none", ...deno, args: [...program, ...call, "--sandbox", "none"] },
    { label: "bowire --version", ...deno, args: [...program, "--version"] },
  ];
  const results = candidates.map((candidate) => ({ candidate, runsMs: new Array<number>() }));
  for (let round = 0; round <= ROUNDS; round++) {
    for (const { candidate, runsMs } of results) {
      const elapsedMs = await run(candidate, home);
      if (round > 0) runsMs.push(elapsedMs); // the first round fills the caches
    }
  }
  return results.map(({ candidate: { label }, runsMs }) => ({ label, runsMs }));
}

/** The program without the script of npm that starts it. */
async function nativeBuf(): Promise<string> {
  const script = await Deno.realPath(BUF); // …/@bufbuild/buf/bin/buf
  return fileURLToPath(new URL("../../buf-linux-x64/bin/buf", `file://${script}`));
}

async function run({ label, command, args }: Candidate, home: string): Promise<number> {
  const startedMs = performance.now();
  const { success, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { BOWIRE_DATA_DIR: home },
    stdin: "null",
  }).output();
  const elapsedMs = performance.now() - startedMs;
  const decoder = new TextDecoder();
  const isRight = args.includes("--version") || decoder.decode(stdout).includes(CALL.proof);
  if (!success || !isRight) throw new Error(`${label} failed: ${decoder.decode(stderr)}`);
  return elapsedMs;
}
