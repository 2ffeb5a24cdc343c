/**
 * The gRPC server of the bench, in a process of its own, and the call that is made to it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";

const SAMPLE = fileURLToPath(new URL("../../../samples/grpc_target/", import.meta.url));

/** The service, a unary method of it, its arguments, and a word of the answer. */
export const CALL = {
  service: "harbour.v1.Harbour",
  method: "GetShip",
  body: '{"id":"9007199254740993"}',
  proof: "Aurora",
} as const;

/** A server that runs; disposing it ends it. */
export interface HarbourProcess extends AsyncDisposable {
  readonly url: string;
}

/** Starts `samples/grpc_target/main.ts`. */
export async function startHarbourProcess(): Promise<HarbourProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--cached-only",
      "--no-prompt",
      "--ignore-env",
      `--allow-read=${SAMPLE}`,
      "--allow-net=127.0.0.1",
      `${SAMPLE}main.ts`,
    ],
    stdin: "null",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  const url = /http:\S+\d/.exec(new TextDecoder().decode(value))?.[0];
  if (url === undefined) throw new Error("the harbour does not say where it listens");
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.stdout.cancel();
      await child.status;
    },
  };
}
